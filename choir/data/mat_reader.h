// MATLAB's files: `file.mat:name`, or the only matrix in the file. Versions 4, 5 (6, 7) and 7.3 through
// matio.
//
//   Dataset images = read_mat("usps.mat", "X");       // rows of X are samples
//
// Real, full arrays of numbers; complex, sparse, cell and struct variables are refused.
#pragma once

#include <filesystem>
#include <string>

#include "choir/data/dataset.h"

namespace choir {

// `key` may be empty if the file has one variable, or one with more than one row and column.
Dataset read_mat(const std::filesystem::path& path, const std::string& key, const ReadOptions& options = {});

}  // namespace choir
