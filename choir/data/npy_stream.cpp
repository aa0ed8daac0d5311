#include "choir/data/npy_stream.h"

#include <algorithm>
#include <utility>

#include "choir/base/error.h"
#include "choir/codec/files.h"
#include "choir/codec/npy_header.h"
#include "choir/data/array_rows.h"

namespace choir {

std::unique_ptr<RowSource> open_npy_rows(const std::filesystem::path& path) {
  const std::string name = path.string();
  NpyHeader header = parse_npy_header(read_file_head(path, max_npy_header_bytes), name);
  const auto long_axes = std::ranges::count_if(header.shape, [](Index extent) { return extent > 1; });
  if (header.fortran_order && long_axes > 1) {
    fail(ErrorCategory::BadData,
         "{} is stored column by column (Fortran order), so its rows cannot be read one after another; save "
         "numpy.ascontiguousarray of it",
         name);
  }
  return open_array_rows(UnpackingReader(FileReader(path)),
                         {.type = header.type, .shape = std::move(header.shape), .offset = header.size});
}

}  // namespace choir
