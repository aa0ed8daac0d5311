#include "choir/data/writer.h"

#include <cstring>
#include <iterator>

#include "choir/base/error.h"
#include "choir/codec/archive.h"
#include "choir/codec/files.h"

namespace choir {
namespace {

enum class Target { npy, npz, csv, tsv };

Target target_of(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  if (extension == ".npy") return Target::npy;
  if (extension == ".npz") return Target::npz;
  if (extension == ".csv") return Target::csv;
  if (extension == ".tsv") return Target::tsv;
  fail(ErrorCategory::InvalidArgument, "cannot write {}: the name must end in .npy, .npz, .csv or .tsv",
       path.string());
}

// One line per column.
std::string to_text(MatrixView<double> samples, char separator) {
  std::string text;
  for (Index n = 0; n < samples.cols(); ++n) {
    for (Index m = 0; m < samples.rows(); ++m) {
      if (m > 0) text += separator;
      fmt::format_to(std::back_inserter(text), "{}", samples(m, n));
    }
    text += '\n';
  }
  return text;
}

std::string to_text(std::span<const std::int64_t> labels) {
  std::string text;
  for (const std::int64_t label : labels) fmt::format_to(std::back_inserter(text), "{}\n", label);
  return text;
}

std::string to_text(std::span<const std::string> words) {
  std::string text;
  for (const std::string& word : words) text += csv_field(word) + '\n';
  return text;
}

void write_array(const std::filesystem::path& path, const NpyArray& array, Target target) {
  if (target == Target::npz) return write_npz(path, {{.name = "data", .array = array}});
  write_file_atomically(path, encode_npy(array), Privacy::owner_only);
}

}  // namespace

NamedArray samples_array(std::string name, MatrixView<double> samples) {
  NpyArray array;
  array.shape = {samples.cols(), samples.rows()};
  const std::size_t row_bytes = static_cast<std::size_t>(samples.rows()) * sizeof(double);
  array.bytes.resize(row_bytes * static_cast<std::size_t>(samples.cols()));
  for (Index n = 0; n < samples.cols() && row_bytes > 0; ++n) {
    std::memcpy(array.bytes.data() + row_bytes * static_cast<std::size_t>(n), samples.col(n).data(),
                row_bytes);
  }
  return {.name = std::move(name), .array = std::move(array)};
}

NamedArray labels_array(std::string name, std::span<const std::int64_t> labels) {
  NpyArray array;
  array.type = ElementType::int64;
  array.shape = {std::ssize(labels)};
  const std::span<const std::byte> bytes = std::as_bytes(labels);
  array.bytes.assign(bytes.begin(), bytes.end());
  return {.name = std::move(name), .array = std::move(array)};
}

void write_npz(const std::filesystem::path& path, const std::vector<NamedArray>& arrays) {
  Archive archive;
  for (const NamedArray& entry : arrays) archive.push_back({entry.name + ".npy", encode_npy(entry.array)});
  write_archive(path, archive, Privacy::owner_only);
}

void write_samples(const std::filesystem::path& path, MatrixView<double> samples) {
  const Target target = target_of(path);
  if (target == Target::csv || target == Target::tsv) {
    return write_file_atomically(path, to_text(samples, target == Target::csv ? ',' : '\t'),
                                 Privacy::owner_only);
  }
  write_array(path, samples_array("data", samples).array, target);
}

void write_matrix(const std::filesystem::path& path, MatrixView<double> matrix) {
  write_samples(path, Samples(matrix.transpose()));
}

std::string csv_field(const std::string& word) {
  if (word.find_first_of(",\t\"\r\n") == std::string::npos) return word;
  std::string quoted = "\"";
  for (const char c : word) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

void write_words(const std::filesystem::path& path, std::span<const std::string> words) {
  const Target target = target_of(path);
  if (target != Target::csv && target != Target::tsv) {
    fail(ErrorCategory::InvalidArgument, "words cannot be written into {}; name a .csv or .tsv file",
         path.string());
  }
  write_file_atomically(path, to_text(words), Privacy::owner_only);
}

void write_labels(const std::filesystem::path& path, std::span<const std::int64_t> labels) {
  const Target target = target_of(path);
  if (target == Target::csv || target == Target::tsv)
    return write_file_atomically(path, to_text(labels), Privacy::owner_only);
  write_array(path, labels_array("data", labels).array, target);
}

}  // namespace choir
