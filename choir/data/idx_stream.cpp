#include "choir/data/idx_stream.h"

#include <array>
#include <span>
#include <utility>

#include "choir/data/array_rows.h"
#include "choir/data/idx_reader.h"

namespace choir {

std::unique_ptr<RowSource> open_idx_rows(const std::filesystem::path& path) {
  UnpackingReader file{FileReader(path)};
  std::array<std::byte, max_idx_header_bytes> head{};
  const std::size_t got = file.read(head);
  IdxHeader header = parse_idx_header(std::span(head).first(got), path.string());
  return open_array_rows(
      std::move(file),
      {.type = header.type, .shape = std::move(header.shape), .offset = header.size, .big_endian = true});
}

}  // namespace choir
