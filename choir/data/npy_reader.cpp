#include "choir/data/npy_reader.h"

#include <algorithm>

#include <fmt/ranges.h>

#include "choir/base/error.h"
#include "choir/codec/archive.h"
#include "choir/codec/npy.h"
#include "choir/data/arrays.h"

namespace choir {
namespace {

constexpr std::string_view suffix = ".npy";

std::vector<std::string> array_names(const std::filesystem::path& path, const ArchiveLimits& limits) {
  std::vector<std::string> names;
  for (const std::string& entry : archive_names(path, limits)) {
    if (entry.ends_with(suffix)) names.push_back(entry.substr(0, entry.size() - suffix.size()));
  }
  return names;
}

std::string choose_array(const std::vector<std::string>& names, const std::string& file,
                         const std::string& key) {
  if (names.empty()) fail(ErrorCategory::BadData, "{} holds no arrays", file);
  if (key.empty() && names.size() == 1) return names.front();
  if (key.empty()) {
    fail(ErrorCategory::BadData, "{} holds several arrays ({}); pick one, as in {}:{}", file,
         fmt::join(names, ", "), file, names.front());
  }
  if (std::ranges::find(names, key) == names.end()) {
    fail(ErrorCategory::BadData, "{} holds no array '{}'; it has {}", file, key, fmt::join(names, ", "));
  }
  return key;
}

}  // namespace

Dataset decode_npy_dataset(std::span<const std::byte> bytes, const std::string& name,
                           const ReadOptions& options) {
  const NpyView array = view_npy(bytes, name);
  Dataset dataset;
  dataset.type = to_string(array.type);
  const std::uint64_t most = memory_budget(options.max_bytes);
  if (options.allow_empty && array.shape.size() > 1 && array.shape.front() == 0) {
    std::vector<Index> of_one = array.shape;
    of_one.front() = 1;
    dataset.samples.resize(table_shape(of_one, name, most).features, 0);
  } else {
    dataset.samples = to_samples(array, name, most);
  }
  return dataset;
}

Dataset read_npz(const std::filesystem::path& path, const std::string& key, const ReadOptions& options) {
  const ArchiveLimits limits{.max_total_bytes = memory_budget(options.max_bytes)};
  const std::string chosen = choose_array(array_names(path, limits), path.string(), key);
  return decode_npy_dataset(read_archive_entry(path, chosen + std::string(suffix), limits),
                            path.string() + ":" + chosen, options);
}

}  // namespace choir
