#include "choir/data/idx_stream.h"

#include <utility>

#include "choir/codec/files.h"
#include "choir/data/array_rows.h"
#include "choir/data/idx_reader.h"

namespace choir {

std::unique_ptr<RowSource> open_idx_rows(const std::filesystem::path& path) {
  IdxHeader header = parse_idx_header(read_file_head(path, max_idx_header_bytes), path.string());
  return open_array_rows(
      FileReader(path),
      {.type = header.type, .shape = std::move(header.shape), .offset = header.size, .big_endian = true});
}

}  // namespace choir
