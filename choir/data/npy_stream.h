// Rows of an .npy file, a few at a time.
#pragma once

#include <filesystem>
#include <memory>

#include "choir/data/row_source.h"

namespace choir {

// Throws Error(BadData) for an array in Fortran order, whose rows are spread over the whole file.
std::unique_ptr<RowSource> open_npy_rows(const std::filesystem::path& path);

}  // namespace choir
