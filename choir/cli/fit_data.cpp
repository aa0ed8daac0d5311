#include "choir/cli/fit_data.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "choir/base/error.h"
#include "choir/cli/label_selection.h"
#include "choir/data/dataset.h"
#include "choir/data/partition.h"
#include "choir/data/shards.h"

namespace choir::cli {
namespace {

bool is_by_rank(const FitOptions& options) { return options.data.find("{rank}") != std::string::npos; }

Index nodes_of_pattern(const FitOptions& options, ProcessGroup& processes) {
  const bool one_per_rank = options.engine == "mpi" && is_by_rank(options);
  const Index nodes = options.nodes == 0 && one_per_rank ? processes.size() : options.nodes;
  if (nodes < 1) {
    fail(ErrorCategory::InvalidArgument, "{} is a pattern of shards; say how many there are with --nodes J",
         options.data);
  }
  if (one_per_rank && nodes != processes.size()) {
    fail(ErrorCategory::InvalidArgument,
         "{} means one node for each of the {} ranks, but --nodes is {}; write {{node}} to have several on a "
         "rank",
         options.data, processes.size(), nodes);
  }
  return nodes;
}

std::vector<Dataset> read_existing_shards(const FitOptions& options, const NodeRange& own) {
  std::vector<Dataset> shards;
  for (NodeId node = own.first; node < own.last; ++node) {
    shards.push_back(
        selected(read_shard(options.data, node, {.labels = options.labels}), options.select_labels));
  }
  return shards;
}

std::vector<Dataset> deal_out(const FitOptions& options, const NodeRange& own) {
  const PartitionSpec spec = parse_partition(options.by);
  if (spec.kind == PartitionKind::features) {
    throw Error(ErrorCategory::InvalidArgument,
                "this method needs all features on every node; use --by iid, label:K or sizes:A..B");
  }
  const Dataset dataset =
      selected(read_dataset(options.data, {.labels = options.labels}), options.select_labels);
  if (options.nodes == 0) return {dataset};
  const Partition parts = partition(spec, options.nodes, dataset, options.random_state);
  std::vector<Dataset> shards;
  for (NodeId node = own.first; node < own.last; ++node) {
    shards.push_back(take_samples(dataset, parts[static_cast<std::size_t>(node)]));
  }
  return shards;
}

// What all processes may know of a shard: its width, its size and where it came from.
using Json = nlohmann::json;
std::string facts_of(const std::vector<Dataset>& shards) {
  Json facts = Json::array();
  for (const Dataset& shard : shards) {
    facts.push_back({{"features", shard.features()}, {"samples", shard.size()}, {"source", shard.source}});
  }
  return facts.dump();
}

// The shards of all processes without their samples.
void check_all_shards(const std::vector<std::string>& facts_by_process, FitData& data) {
  std::vector<Dataset> all;
  for (const std::string& facts : facts_by_process) {
    for (const Json& fact : Json::parse(facts)) {
      Dataset shard;
      shard.samples.resize(fact.at("features").get<Index>(), 0);
      shard.source = fact.at("source").get<std::string>();
      data.sizes.push_back(fact.at("samples").get<Index>());
      data.samples += data.sizes.back();
      all.push_back(std::move(shard));
    }
  }
  check_same_features(all);
  data.features = all.front().features();
}

}  // namespace

FitData read_fit_data(const FitOptions& options, ProcessGroup& processes) {
  const bool pattern = is_shard_pattern(options.data);
  FitData data;
  processes.size();  // a gathering, which must not happen inside of another
  std::vector<Dataset> shards = processes.together([&] {
    data.nodes = pattern ? nodes_of_pattern(options, processes) : std::max<Index>(options.nodes, 1);
    data.own = processes.engine().own_nodes(data.nodes);
    return pattern ? read_existing_shards(options, data.own) : deal_out(options, data.own);
  });
  const std::vector<std::string> facts = processes.gather(facts_of(shards));
  processes.together([&] { check_all_shards(facts, data); });
  for (Dataset& shard : shards) data.shards.push_back(std::move(shard.samples));
  return data;
}

Preprocessing preprocess(const FitOptions& options, Samples& samples) {
  Preprocessing preprocessing = options.preprocessing();
  if (preprocessing.standardize == Standardize::zscore) {
    preprocessing = fit_zscore(preprocessing.divide, feature_moments(samples));
  }
  preprocessing.apply(samples);
  return preprocessing;
}

}  // namespace choir::cli
