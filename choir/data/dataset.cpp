#include "choir/data/dataset.h"

#include <algorithm>
#include <filesystem>
#include <functional>

#include "choir/base/error.h"
#include "choir/codec/files.h"
#include "choir/data/arrays.h"
#include "choir/data/csv_reader.h"
#include "choir/data/format.h"
#include "choir/data/gzip.h"
#include "choir/data/hdf5_reader.h"
#include "choir/data/idx_reader.h"
#include "choir/data/mat_reader.h"
#include "choir/data/ndjson_reader.h"
#include "choir/data/npy_reader.h"
#include "choir/data/svmlight_reader.h"

namespace choir {
namespace {

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Format detect(std::span<const std::byte> bytes, const std::filesystem::path& path) {
  return detect_format(bytes.first(std::min(bytes.size(), format_head_bytes)), path);
}

// Labels that are asked for go before those the file has.
Dataset decode_svmlight_for(std::string_view text, const std::string& name, const ReadOptions& options) {
  Dataset dataset = decode_svmlight(text, name, options);
  if (options.labels.empty()) return dataset;
  dataset.labels.clear();
  dataset.values.clear();
  return dataset;
}

Dataset decode(std::vector<std::byte> bytes, const std::string& name, const ReadOptions& options) {
  Format format = detect(bytes, name);
  if (format == Format::gzip) {
    bytes = gunzip(bytes, name, memory_budget(options.max_bytes));
    format = detect(bytes, unpacked_name(name));
  }
  switch (format) {
    case Format::npy:
      return decode_npy_dataset(bytes, name, options);
    case Format::csv:
      return decode_csv(as_text(bytes), name, options);
    case Format::svmlight:
      return decode_svmlight_for(as_text(bytes), name, options);
    case Format::ndjson:
      return decode_ndjson(as_text(bytes), name, options);
    case Format::idx:
      return decode_idx(bytes, name, options);
    default:
      fail(ErrorCategory::BadData, "{} holds a packed file; unpack it first", name);
  }
}

Dataset read_located(const Location& location, const ReadOptions& options) {
  const std::string name = location.path.string();
  switch (detect_format(read_file_head(location.path, format_head_bytes), location.path)) {
    case Format::npz:
      return read_npz(location.path, location.key, options);
    case Format::hdf5:
      return read_hdf5(location.path, location.key, options);
    case Format::mat:
      return read_mat(location.path, location.key, options);
    default:
      break;
  }
  refuse_key(location);
  return decode(read_file(location.path), name, options);
}

// One for each sample; `what` they are called, `convert(value, where)` what becomes of a number.
template <class Convert>
auto read_column(const std::string& source, std::string_view what, Index samples, const ReadOptions& options,
                 Convert convert) {
  const Dataset column = read_dataset(source, {.max_bytes = options.max_bytes});
  if (column.samples.size() != samples || (column.features() > 1 && column.size() > 1)) {
    fail(ErrorCategory::BadData, "{} holds {} x {} numbers, but {} {}s are needed, one per sample", source,
         column.size(), column.features(), samples, what);
  }
  std::vector<decltype(convert(0.0, nullptr))> values;
  values.reserve(static_cast<std::size_t>(samples));
  for (Index n = 0; n < samples; ++n) {
    values.push_back(
        convert(column.samples.data()[n], [&] { return fmt::format("{}: {} {}", source, what, n + 1); }));
  }
  return values;
}

void attach_labels(Dataset& dataset, const ReadOptions& options) {
  const bool in_a_column = !dataset.labels.empty() || !dataset.values.empty();
  if (options.labels.empty() || in_a_column) return;
  try {
    locate(options.labels);
  } catch (const Error&) {
    if (dataset.type != "text") throw;
    fail(ErrorCategory::BadData, "the labels '{}' are neither a column of {} nor a file", options.labels,
         dataset.source);
  }
  if (options.real_labels)
    dataset.values = read_column(options.labels, "label", dataset.size(), options, to_finite_number);
  else
    dataset.labels = read_column(options.labels, "label", dataset.size(), options, to_whole_number);
}

// An error does not say the value: it is somebody's number.
std::int64_t to_key(double value, const std::function<std::string()>& where) {
  try {
    return to_whole_number(value, where);
  } catch (const Error&) {
    fail(ErrorCategory::BadData, "{} is no integer below 2^53; only such numbers can be keys", where());
  }
}

void attach_keys(Dataset& dataset, const ReadOptions& options) {
  const bool in_a_column = !dataset.keys.empty();
  if (options.key.empty() || in_a_column) return;
  try {
    locate(options.key);
  } catch (const Error& cause) {
    throw Error(
        cause.category(),
        fmt::format("the keys of {} must be a file of integers, such as file.npz:ids; '{}' is not one",
                    dataset.source, options.key),
        cause);
  }
  for (const std::int64_t key : read_column(options.key, "key", dataset.size(), options, to_key)) {
    dataset.keys.push_back(std::to_string(key));
  }
}

void finish(Dataset& dataset, const std::string& source, const ReadOptions& options) {
  dataset.source = source;
  if (dataset.size() == 0) return;  // nobody has a label or a key
  if (!options.allow_not_finite) check_finite(dataset.samples, source);
  attach_labels(dataset, options);
  attach_keys(dataset, options);
}

}  // namespace

Dataset read_dataset(const std::string& source, const ReadOptions& options) {
  Dataset dataset = read_located(locate(source), options);
  finish(dataset, source, options);
  return dataset;
}

Dataset decode_dataset(std::span<const std::byte> bytes, const std::string& name,
                       const ReadOptions& options) {
  Dataset dataset = decode({bytes.begin(), bytes.end()}, name, options);
  finish(dataset, name, options);
  return dataset;
}

}  // namespace choir
