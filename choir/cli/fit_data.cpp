#include "choir/cli/fit_data.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "choir/base/error.h"
#include "choir/cli/json_text.h"
#include "choir/cli/label_selection.h"
#include "choir/data/dataset.h"
#include "choir/data/partition.h"
#include "choir/data/shards.h"

namespace choir::cli {
namespace {

bool is_by_rank(const FitOptions& options) { return options.data.find("{rank}") != std::string::npos; }

Index nodes_of_pattern(const FitOptions& options, ProcessGroup& processes, Index without_data) {
  const bool one_per_rank = options.engine == "mpi" && is_by_rank(options);
  const Index ranks = processes.size() - without_data;
  const Index nodes = options.nodes == 0 && one_per_rank ? ranks : options.nodes;
  if (nodes < 1) {
    fail(ErrorCategory::InvalidArgument, "{} is a pattern of shards; say how many there are with --nodes J",
         options.data);
  }
  if (one_per_rank && nodes != ranks) {
    fail(ErrorCategory::InvalidArgument,
         "{} means one node for each of the {} ranks{}, but --nodes is {}; write {{node}} to have several on "
         "a "
         "rank",
         options.data, ranks, without_data > 0 ? " beside the server's" : "", nodes);
  }
  return nodes;
}

std::vector<Dataset> read_existing_shards(const FitOptions& options, const Dealing& dealing,
                                          const NodeRange& own) {
  const ReadOptions reading{.labels = options.labels, .key = dealing.key};
  std::vector<Dataset> shards;
  for (NodeId node = own.first; node < own.last; ++node) {
    shards.push_back(selected(read_shard(options.data, node, reading), options.select_labels));
  }
  return shards;
}

PartitionSpec partition_spec(const FitOptions& options, Division division) {
  PartitionSpec spec = parse_partition(options.by);
  if (division == Division::samples) {
    if (spec.kind != PartitionKind::features) return spec;
    throw Error(ErrorCategory::InvalidArgument,
                "this method needs all features on every node; use --by iid, label:K or sizes:A..B");
  }
  // iid is what stands there if nothing was said.
  if (spec.kind != PartitionKind::features && spec.kind != PartitionKind::iid) {
    fail(ErrorCategory::InvalidArgument,
         "--by {} deals out samples, but here features are dealt out; leave --by out", options.by);
  }
  spec.kind = PartitionKind::features;
  return spec;
}

std::vector<Dataset> deal_out(const FitOptions& options, const Dealing& dealing, FitData& data) {
  const PartitionSpec spec = partition_spec(options, dealing.division);
  const Dataset dataset = selected(read_dataset(options.data, {.labels = options.labels, .key = dealing.key}),
                                   options.select_labels);
  if (options.nodes == 0) return {dataset};
  Partition parts = partition(spec, options.nodes, dataset, options.random_state);
  std::vector<Dataset> shards;
  for (NodeId node = data.own.first; node < data.own.last; ++node) {
    std::vector<Index>& part = parts[static_cast<std::size_t>(node)];
    if (dealing.division == Division::coordinates) {
      shards.push_back(take_features(dataset, part));
      data.columns.push_back(std::move(part));
      continue;
    }
    if (dealing.in_file_order) std::sort(part.begin(), part.end());
    shards.push_back(take_samples(dataset, part));
    data.rows.push_back(std::move(part));
  }
  return shards;
}

// Those without are the last ones.
NodeRange nodes_with_data(const NodeRange& own, Index nodes) {
  const auto last = static_cast<NodeId>(nodes);
  return {.first = std::min(own.first, last), .last = std::min(own.last, last)};
}

// What all processes may know of a shard: its width, its size and where it came from.
using Json = nlohmann::json;
std::string facts_of(const std::vector<Dataset>& shards) {
  Json facts = Json::array();
  for (const Dataset& shard : shards) {
    facts.push_back({{"features", shard.features()}, {"samples", shard.size()}, {"source", shard.source}});
  }
  return json_text(facts);
}

std::vector<Json> facts_of_all(const std::vector<std::string>& facts_by_process) {
  std::vector<Json> all;
  for (const std::string& facts : facts_by_process) {
    for (Json& fact : Json::parse(facts)) all.push_back(std::move(fact));
  }
  return all;
}

// The shards of all processes without their samples.
void check_samples(const std::vector<Json>& facts, FitData& data) {
  std::vector<Dataset> all;
  for (const Json& fact : facts) {
    Dataset shard;
    shard.samples.resize(fact.at("features").get<Index>(), 0);
    shard.source = fact.at("source").get<std::string>();
    data.sizes.push_back(fact.at("samples").get<Index>());
    data.samples += data.sizes.back();
    all.push_back(std::move(shard));
  }
  check_same_features(all);
  data.features = all.front().features();
}

// With keys the parties' samples are yet to be matched: so many at most are all parties'.
void check_coordinates(const std::vector<Json>& facts, bool keyed, FitData& data) {
  data.samples = facts.front().at("samples").get<Index>();
  for (std::size_t node = 0; node < facts.size(); ++node) {
    const auto samples = facts[node].at("samples").get<Index>();
    if (keyed) {
      data.samples = std::min(data.samples, samples);
    } else if (samples != data.samples) {
      fail(ErrorCategory::BadData,
           "shard {} has {} samples but shard 0 has {} ({}); shards of coordinates need the same samples, "
           "row by row",
           node, samples, data.samples, facts[node].at("source").get<std::string>());
    }
    data.sizes.push_back(facts[node].at("features").get<Index>());
    data.features += data.sizes.back();
  }
}

}  // namespace

std::vector<std::int64_t> FitData::columns_of(NodeId node) const {
  if (columns.empty()) return {};
  const std::vector<Index>& part = columns[static_cast<std::size_t>(node - own.first)];
  return {part.begin(), part.end()};
}

Index count_nodes(const FitOptions& options, ProcessGroup& processes, Index without_data) {
  processes.size();  // a gathering, which must not happen inside of another
  return processes.together([&] {
    return is_shard_pattern(options.data) ? nodes_of_pattern(options, processes, without_data)
                                          : std::max<Index>(options.nodes, 1);
  });
}

FitData read_fit_data(const FitOptions& options, ProcessGroup& processes, const Dealing& dealing) {
  const bool pattern = is_shard_pattern(options.data);
  FitData data;
  data.nodes = count_nodes(options, processes, dealing.without_data);
  std::vector<Dataset> shards = processes.together([&] {
    data.own = nodes_with_data(processes.engine().own_nodes(data.nodes + dealing.without_data), data.nodes);
    return pattern ? read_existing_shards(options, dealing, data.own) : deal_out(options, dealing, data);
  });
  const std::vector<Json> facts = facts_of_all(processes.gather(facts_of(shards)));
  processes.together([&] {
    if (dealing.division == Division::samples) {
      check_samples(facts, data);
    } else {
      check_coordinates(facts, !dealing.key.empty(), data);
    }
  });
  for (Dataset& shard : shards) {
    data.shards.push_back(std::move(shard.samples));
    data.keys.push_back(std::move(shard.keys));
    data.labels.push_back(std::move(shard.labels));
  }
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
