// HDF5 files: `file.h5:/path/to/dataset`, or the only table in the file.
//
//   Dataset images = read_hdf5("mnist.h5", "/train/images");
//
// Whole numbers and floats of any size and byte order. Datasets that keep their values in other files
// are refused.
#pragma once

#include <filesystem>
#include <string>

#include "choir/data/dataset.h"

namespace choir {

// `key` may be empty if the file has one dataset, or one of two dimensions or more.
Dataset read_hdf5(const std::filesystem::path& path, const std::string& key, const ReadOptions& options = {});

// The same for MATLAB's own use of HDF5 (version 7.3), where dimensions are reversed.
Dataset read_matlab_hdf5(const std::filesystem::path& path, const std::string& key,
                         const ReadOptions& options = {});

}  // namespace choir
