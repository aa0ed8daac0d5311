#include "choir/data/shards.h"

#include <algorithm>
#include <array>

#include <fmt/ranges.h>

#include "choir/base/error.h"

namespace choir {
namespace {

constexpr std::array<std::string_view, 2> placeholders = {"{node}", "{rank}"};

Dataset without_samples(const Dataset& dataset) {
  Dataset result;
  result.source = dataset.source;
  result.type = dataset.type;
  result.names = dataset.names;
  result.label_name = dataset.label_name;
  return result;
}

void check_inside(std::span<const Index> indices, Index count, std::string_view what) {
  for (const Index index : indices) {
    if (index < 0 || index >= count) {
      fail(ErrorCategory::InvalidArgument, "there is no {} {}; the valid range is 0 to {}", what, index,
           count - 1);
    }
  }
}

}  // namespace

Dataset take_samples(const Dataset& dataset, std::span<const Index> samples) {
  check_inside(samples, dataset.size(), "sample");
  Dataset result = without_samples(dataset);
  result.samples.resize(dataset.features(), std::ssize(samples));
  for (Index n = 0; const Index sample : samples) {
    result.samples.col(n++) = dataset.samples.col(sample);
    if (!dataset.labels.empty()) result.labels.push_back(dataset.labels[static_cast<std::size_t>(sample)]);
    if (!dataset.values.empty()) result.values.push_back(dataset.values[static_cast<std::size_t>(sample)]);
    if (!dataset.keys.empty()) result.keys.push_back(dataset.keys[static_cast<std::size_t>(sample)]);
  }
  return result;
}

Dataset take_features(const Dataset& dataset, std::span<const Index> features) {
  check_inside(features, dataset.features(), "feature");
  Dataset result = without_samples(dataset);
  result.labels = dataset.labels;
  result.keys = dataset.keys;
  result.names.clear();
  for (std::size_t i = 0; i < features.size() && !dataset.names.empty(); ++i)
    result.names.push_back(dataset.names[static_cast<std::size_t>(features[i])]);
  result.samples.resize(std::ssize(features), dataset.size());
  for (Index n = 0; n < dataset.size(); ++n) {
    for (Index m = 0; const Index feature : features) result.samples(m++, n) = dataset.samples(feature, n);
  }
  return result;
}

Dataset select_labels(const Dataset& dataset, std::span<const std::int64_t> labels) {
  if (dataset.labels.empty()) {
    fail(ErrorCategory::InvalidArgument, "{} has no labels to select by; use --labels", dataset.source);
  }
  for (const std::int64_t label : labels) {
    if (std::ranges::find(dataset.labels, label) == dataset.labels.end()) {
      fail(ErrorCategory::InvalidArgument, "no sample of {} has the label {}", dataset.source, label);
    }
  }
  std::vector<Index> chosen;
  for (Index n = 0; n < dataset.size(); ++n) {
    const std::int64_t label = dataset.labels[static_cast<std::size_t>(n)];
    if (std::ranges::find(labels, label) != labels.end()) chosen.push_back(n);
  }
  if (chosen.empty())
    fail(ErrorCategory::InvalidArgument, "there are no labels to select by; name at least one");
  return take_samples(dataset, chosen);
}

void check_same_features(std::span<const Dataset> shards) {
  for (std::size_t j = 1; j < shards.size(); ++j) {
    if (shards[j].features() == shards[0].features()) continue;
    fail(ErrorCategory::BadData,
         "shard {} has {} features but shard 0 has {} ({}); all shards need the same columns", j,
         shards[j].features(), shards[0].features(), shards[j].source);
  }
}

Dataset concatenate(std::span<const Dataset> shards) {
  if (shards.empty()) fail(ErrorCategory::InvalidArgument, "there are no shards to put together");
  check_same_features(shards);
  Dataset result = without_samples(shards[0]);
  Index size = 0;
  for (const Dataset& shard : shards) size += shard.size();
  const bool labelled =
      std::ranges::none_of(shards, [](const Dataset& shard) { return shard.labels.empty(); });
  const bool keyed = std::ranges::none_of(shards, [](const Dataset& shard) { return shard.keys.empty(); });
  result.samples.resize(shards[0].features(), size);
  for (Index at = 0; const Dataset& shard : shards) {
    result.samples.middleCols(at, shard.size()) = shard.samples;
    at += shard.size();
    if (labelled) result.labels.insert(result.labels.end(), shard.labels.begin(), shard.labels.end());
    if (keyed) result.keys.insert(result.keys.end(), shard.keys.begin(), shard.keys.end());
  }
  return result;
}

bool is_shard_pattern(std::string_view text) {
  return std::ranges::any_of(placeholders, [&](std::string_view placeholder) {
    return text.find(placeholder) != std::string_view::npos;
  });
}

std::string expand_shard_pattern(std::string_view pattern, Index node) {
  std::string text(pattern);
  const std::string number = std::to_string(node);
  for (const std::string_view placeholder : placeholders) {
    for (std::size_t at = text.find(placeholder); at != std::string::npos; at = text.find(placeholder, at)) {
      text.replace(at, placeholder.size(), number);
    }
  }
  return text;
}

Dataset read_shard(const std::string& pattern, Index node, const ReadOptions& options) {
  if (!is_shard_pattern(pattern)) {
    fail(ErrorCategory::InvalidArgument,
         "{} names one file for all nodes; use {{node}} in place of the number", pattern);
  }
  ReadOptions own = options;
  own.labels = expand_shard_pattern(options.labels, node);
  own.key = expand_shard_pattern(options.key, node);
  return read_dataset(expand_shard_pattern(pattern, node), own);
}

std::vector<Dataset> read_shards(const std::string& pattern, Index nodes, const ReadOptions& options) {
  if (nodes < 1)
    fail(ErrorCategory::InvalidArgument, "the number of nodes is {}; it must be at least 1", nodes);
  std::vector<Dataset> shards;
  for (Index node = 0; node < nodes; ++node) shards.push_back(read_shard(pattern, node, options));
  check_same_features(shards);
  return shards;
}

}  // namespace choir
