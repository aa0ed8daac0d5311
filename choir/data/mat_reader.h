// MATLAB's files: `file.mat:name`, or the only matrix in the file. Versions 4, 5 (also called 6 and 7) and
// 7.3, which is HDF5.
//
//   Dataset images = read_mat("usps.mat", "X");       // rows of X are samples
//
// Real, full arrays of numbers; complex, sparse, cell, struct and text variables are refused. Versions 4
// and 5 are decoded here: matio 1.5.23 hands out uninitialised memory for a truncated file and says nothing.
#pragma once

#include <filesystem>
#include <string>

#include "choir/data/dataset.h"

namespace choir {

// `key` may be empty if the file has one variable, or one with more than one row and column.
Dataset read_mat(const std::filesystem::path& path, const std::string& key, const ReadOptions& options = {});

}  // namespace choir
