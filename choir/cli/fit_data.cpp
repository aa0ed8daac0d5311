#include "choir/cli/fit_data.h"

#include <algorithm>

#include "choir/base/error.h"
#include "choir/base/text.h"
#include "choir/data/dataset.h"
#include "choir/data/partition.h"
#include "choir/data/shards.h"

namespace choir::cli {
namespace {

std::vector<std::int64_t> parse_labels(const std::string& text) {
  std::vector<std::int64_t> labels;
  for (const std::string_view word : split(text, ',')) {
    const auto label = parse_integer(trim(word));
    if (!label)
      fail(ErrorCategory::InvalidArgument, "'{}' in --select-labels is not a label; write 0,3,5,8", word);
    labels.push_back(*label);
  }
  return labels;
}

Dataset select(const Dataset& dataset, const FitOptions& options) {
  return options.select_labels.empty() ? dataset
                                       : select_labels(dataset, parse_labels(options.select_labels));
}

std::vector<Dataset> read_existing_shards(const FitOptions& options) {
  if (options.nodes < 1) {
    fail(ErrorCategory::InvalidArgument, "{} is a pattern of shards; say how many there are with --nodes J",
         options.data);
  }
  std::vector<Dataset> shards = read_shards(options.data, options.nodes, {.labels = options.labels});
  for (Dataset& shard : shards) shard = select(shard, options);
  return shards;
}

std::vector<Dataset> deal_out(const FitOptions& options) {
  const PartitionSpec spec = parse_partition(options.by);
  if (spec.kind == PartitionKind::features) {
    throw Error(ErrorCategory::InvalidArgument,
                "this method needs all features on every node; use --by iid, label:K or sizes:A..B");
  }
  const Dataset dataset = select(read_dataset(options.data, {.labels = options.labels}), options);
  if (options.nodes == 0) return {dataset};
  std::vector<Dataset> shards;
  for (const auto& part : partition(spec, options.nodes, dataset, options.random_state)) {
    shards.push_back(take_samples(dataset, part));
  }
  return shards;
}

// The sums of zscore are added shard by shard: what a network would agree on.
Preprocessing fit_preprocessing(const FitOptions& options, const std::vector<Samples>& shards) {
  Preprocessing preprocessing = options.preprocessing();
  if (preprocessing.standardize != Standardize::zscore) return preprocessing;
  const Index features = shards.front().rows();
  Index count = 0;
  Vector sum = Vector::Zero(features);
  Vector sum_of_squares = Vector::Zero(features);
  for (const Samples& shard : shards) {
    const Matrix scaled = shard / preprocessing.divide;
    count += shard.cols();
    sum += scaled.rowwise().sum();
    sum_of_squares += scaled.rowwise().squaredNorm();
  }
  return fit_zscore(preprocessing.divide, count, sum, sum_of_squares);
}

}  // namespace

Samples FitData::pooled() const {
  Samples all(features, samples);
  Index begin = 0;
  for (const Samples& shard : shards) {
    all.middleCols(begin, shard.cols()) = shard;
    begin += shard.cols();
  }
  return all;
}

FitData read_fit_data(const FitOptions& options) {
  if (options.nodes < 0)
    fail(ErrorCategory::InvalidArgument, "nodes is {}; it must be at least 1", options.nodes);
  std::vector<Dataset> datasets =
      is_shard_pattern(options.data) ? read_existing_shards(options) : deal_out(options);
  FitData data;
  for (Dataset& dataset : datasets) {
    data.samples += dataset.size();
    data.shards.push_back(std::move(dataset.samples));
  }
  data.features = data.shards.front().rows();
  data.preprocessing = fit_preprocessing(options, data.shards);
  for (Samples& shard : data.shards) data.preprocessing.apply(shard);
  return data;
}

}  // namespace choir::cli
