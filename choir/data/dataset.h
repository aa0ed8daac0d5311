// One array or file as choir sees it, and the common front of all readers.
//
//   Dataset digits = read_dataset("digits.npz:images", {.labels = "digits.npz:labels"});
//   digits.samples;      // M x N, double, one sample per column
//
// The format is found by content, then by extension: .npy .npz .csv .tsv .ndjson .svm .h5 .mat .idx[.gz].
// `file.npz:key`, `file.h5:/path`, `file.mat:name` pick one array. In files rows are samples; arrays of
// more than two dimensions are flattened after the first, an array of one dimension is N samples of one
// feature. NaN, infinities, ragged rows, truncated or foreign files are refused with one sentence that
// names file, row and column, counted from 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "choir/linalg/types.h"

namespace choir {

struct Dataset {
  Samples samples;                   // M x N
  std::vector<std::int64_t> labels;  // N, or empty
  std::vector<double> values;        // N, or empty: labels that need not be whole, if they were asked for
  std::vector<std::string> keys;   // N, or empty: who each sample is, for data that lies with several owners
  std::vector<std::string> names;  // M, or empty: of the features, where a header has them
  std::string label_name;          // of the column of labels, where the header has it; empty: none
  std::string source;              // what the user called it
  std::string type = "float64";    // of the elements in the file; "text" for csv, ndjson, svmlight

  Index features() const { return samples.rows(); }
  Index size() const { return samples.cols(); }
};

struct ReadOptions {
  // A file of labels (any format; N integers), or, for csv, a column by name or number (from 1; -1 is the
  // last); svmlight and ndjson files carry their own, ndjson in the member of that name ("y" if empty).
  std::string labels = {};
  bool real_labels = false;  // they may be any finite numbers, and become Dataset::values
  // Identity of each sample: for csv a column by name or number, of any text; otherwise a file (any format; N
  // whole numbers). Such a column is no feature.
  std::string key = {};
  bool allow_not_finite = false;  // for `data info`, which counts them
  bool allow_empty = false;     // no samples, of known features: an array of 0 rows, a csv file with a header
  std::uint64_t max_bytes = 0;  // most memory an array or an unpacked file may take; 0: what is free
};

// Throws Error(BadData), Error(Io), Error(OutOfMemory) for an array that does not fit.
Dataset read_dataset(const std::string& source, const ReadOptions& options = {});

// The same for the content of a .npy, csv, ndjson, svmlight or idx file, packed by gzip or not, in memory.
// `name` is what error messages call it; its extension decides where the content leaves doubt.
Dataset decode_dataset(std::span<const std::byte> bytes, const std::string& name,
                       const ReadOptions& options = {});

}  // namespace choir
