// One array or file as choir sees it, and the common front of all readers.
//
//   Dataset digits = read_dataset("digits.npz:images", {.labels = "digits.npz:labels"});
//   digits.samples;      // M x N, double, one sample per column
//
// The format is found by content, then by extension: .npy .npz .csv .tsv .svm .h5 .mat .idx[.gz].
// `file.npz:key`, `file.h5:/path`, `file.mat:name` pick one array. In files rows are samples; arrays of
// more than two dimensions are flattened after the first. NaN, infinities, ragged rows, truncated or
// foreign files are refused with one sentence that names file, row and column.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "choir/linalg/types.h"

namespace choir {

struct Dataset {
  Samples samples;                   // M x N
  std::vector<std::int64_t> labels;  // N, or empty
  std::string source;                // what the user called it
  std::string type = "float64";      // of the elements in the file

  Index features() const { return samples.rows(); }
  Index size() const { return samples.cols(); }
};

struct ReadOptions {
  // A file of labels (any format; N integers), or, for csv, a column by name or number; svmlight files
  // carry their own.
  std::string labels;
  bool allow_not_finite = false;  // for `data info`, which counts them
};

// Throws Error(BadData), Error(Io).
Dataset read_dataset(const std::string& source, const ReadOptions& options = {});

}  // namespace choir
