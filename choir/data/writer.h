// Results to files: .npy, .npz (one array named "data"), .csv or .tsv, by extension. In files rows are
// samples.
//
//   write_samples("part-0.npy", samples);            // M x N in memory, (N, M) in the file
//   write_matrix("scores.csv", scores);              // N x D in memory and in the file
//   write_labels("part-0-labels.npy", labels);       // int64
//   write_npz("part-0.npz", {samples_array("images", samples), labels_array("labels", labels)});
//
// Files are written atomically: a full disk leaves what was there before. They say something of every sample,
// so only their owner may read them (mode 0600). Text has as many digits as it
// takes to read the same numbers back. Throws Error(InvalidArgument) for another extension, Error(Io).
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "choir/codec/npy.h"
#include "choir/linalg/types.h"

namespace choir {

void write_samples(const std::filesystem::path& path, MatrixView<double> samples);  // M x N
void write_matrix(const std::filesystem::path& path, MatrixView<double> matrix);    // N x D
void write_labels(const std::filesystem::path& path, std::span<const std::int64_t> labels);
// A word per line; .csv or .tsv alone.
void write_words(const std::filesystem::path& path, std::span<const std::string> words);
// As a field of a csv file: quoted if it has a separator, a quotation mark or a line end in it.
std::string csv_field(const std::string& word);

struct NamedArray {
  std::string name;
  NpyArray array;
};
NamedArray samples_array(std::string name, MatrixView<double> samples);  // M x N, becomes (N, M)
NamedArray labels_array(std::string name, std::span<const std::int64_t> labels);
void write_npz(const std::filesystem::path& path, const std::vector<NamedArray>& arrays);

}  // namespace choir
