// Rows of a dataset in an HDF5 file, a few at a time.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "choir/data/row_source.h"

namespace choir {

// `key` as for read_hdf5.
std::unique_ptr<RowSource> open_hdf5_rows(const std::filesystem::path& path, const std::string& key);

}  // namespace choir
