// Rows of an array that lies in a file as it is, or packed by gzip: .npy and idx after their headers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "choir/codec/npy.h"
#include "choir/data/row_source.h"
#include "choir/data/unpacking_reader.h"

namespace choir {

struct StoredArray {
  ElementType type = ElementType::float64;
  std::vector<Index> shape;
  std::size_t offset = 0;  // of its first byte in the file
  bool big_endian = false;
};

// Row by row (C order). Throws Error(BadData) if the file has more or fewer bytes (a packed one: when they
// are read), Error(OutOfMemory) for a row that does not fit.
std::unique_ptr<RowSource> open_array_rows(UnpackingReader file, StoredArray array);

}  // namespace choir
