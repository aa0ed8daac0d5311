#include "choir/run/shards.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/data/partition.h"
#include "choir/data/shards.h"
#include "choir/linalg/moments.h"
#include "choir/run/tables/table_shards.h"

namespace choir {
namespace {

// What all processes may know of a shard: its width, its size and where it came from.
struct ShardFacts {
  Index features = 0;
  Index samples = 0;
  std::string source = {};

  template <class Visitor>
  void fields(Visitor& visit) {
    visit(features);
    visit(samples);
    visit(source);
  }
};

bool is_by_rank(const Settings& settings) { return settings.data.data.find("{rank}") != std::string::npos; }

Index nodes_of_pattern(const Settings& settings, MethodContext& context, Index without_data) {
  const bool one_per_rank = settings.engine.engine == "mpi" && is_by_rank(settings);
  const Index ranks = context.processes.size() - without_data;
  const Index nodes = settings.data.nodes == 0 && one_per_rank ? ranks : settings.data.nodes;
  if (nodes < 1) {
    fail(ErrorCategory::InvalidArgument, "{} is a pattern of shards; use --nodes J to say how many there are",
         settings.data.data);
  }
  if (one_per_rank && nodes != ranks) {
    fail(ErrorCategory::InvalidArgument,
         "{} means one node for each of the {} ranks{}, but --nodes is {}; write {{node}} to have several "
         "nodes per rank",
         settings.data.data, ranks, without_data > 0 ? " beside the server's" : "", nodes);
  }
  return nodes;
}

std::vector<Dataset> read_existing_shards(const DataSettings& data, const Dealing& dealing,
                                          const NodeRange& own) {
  const ReadOptions reading{.labels = data.labels, .key = dealing.key, .allow_empty = dealing.empty_nodes};
  std::vector<Dataset> shards;
  for (NodeId node = own.first; node < own.last; ++node) {
    shards.push_back(selected(read_shard(data.data, node, reading), data.select_labels));
  }
  return shards;
}

Dataset dataset_of(const JobData& data, std::size_t place) {
  Dataset dataset;
  dataset.samples = data.arrays[place];
  if (place < data.labels.size()) dataset.labels = data.labels[place];
  dataset.source = fmt::format("array {}", place);
  return dataset;
}

std::vector<Dataset> arrays_of_nodes(const JobData& data, const NodeRange& own,
                                     const DataSettings& settings) {
  std::vector<Dataset> shards;
  for (NodeId node = own.first; node < own.last; ++node) {
    shards.push_back(selected(dataset_of(data, static_cast<std::size_t>(node)), settings.select_labels));
  }
  return shards;
}

PartitionSpec partition_spec(const DataSettings& settings, Division division) {
  PartitionSpec spec = parse_partition(settings.by);
  if (division == Division::samples) {
    if (spec.kind != PartitionKind::features) return spec;
    throw Error(ErrorCategory::InvalidArgument,
                "this method needs all features on every node; use --by iid, label:K or sizes:A..B");
  }
  // iid is what stands there if nothing was said.
  if (spec.kind != PartitionKind::features && spec.kind != PartitionKind::iid) {
    fail(ErrorCategory::InvalidArgument,
         "--by {} distributes samples, but this method distributes features; omit --by", settings.by);
  }
  spec.kind = PartitionKind::features;
  return spec;
}

Dataset whole_dataset(const Settings& settings, const MethodContext& context, const Dealing& dealing) {
  if (!context.data.arrays.empty()) return dataset_of(context.data, 0);
  return read_dataset(settings.data.data, {.labels = settings.data.labels, .key = dealing.key});
}

// Equal shares of single labels leave samples over where some labels are rare, or no node was given one.
std::string left_over_words(const Partition& parts, Index samples, const std::string& by) {
  Index dealt = 0;
  for (const std::vector<Index>& part : parts) dealt += std::ssize(part);
  if (dealt == samples) return {};
  return fmt::format(
      "--by {} distributes {} of {} samples: all nodes get equally many of each of their labels, and the "
      "rest is not used; use --by iid to use all",
      by, dealt, samples);
}

std::vector<Dataset> deal_out(const Settings& settings, const MethodContext& context, const Dealing& dealing,
                              RunData& data) {
  const PartitionSpec spec = partition_spec(settings.data, dealing.division);
  Dataset dataset = selected(whole_dataset(settings, context, dealing), settings.data.select_labels);
  std::vector<Dataset> shards;
  if (settings.data.nodes == 0) {
    shards.push_back(std::move(dataset));
    return shards;
  }
  Partition parts = partition(spec, settings.data.nodes, dataset, settings.engine.random_state);
  if (spec.kind == PartitionKind::label) data.note = left_over_words(parts, dataset.size(), settings.data.by);
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

std::vector<ShardFacts> tell_facts(const std::vector<Dataset>& shards, ProcessGroup& processes) {
  std::vector<ShardFacts> own;
  for (const Dataset& shard : shards) {
    own.push_back({.features = shard.features(), .samples = shard.size(), .source = shard.source});
  }
  std::vector<ShardFacts> all;
  for (std::vector<ShardFacts>& part : processes.tell_all(Kind::facts, own))
    std::move(part.begin(), part.end(), std::back_inserter(all));
  return all;
}

// The shards of all processes without their samples.
void check_samples(const std::vector<ShardFacts>& facts, RunData& data) {
  std::vector<Dataset> all;
  for (const ShardFacts& fact : facts) {
    Dataset shard;
    shard.samples.resize(fact.features, 0);
    shard.source = fact.source;
    data.sizes.push_back(fact.samples);
    data.samples += fact.samples;
    all.push_back(std::move(shard));
  }
  check_same_features(all);
  data.features = all.front().features();
}

// With keys the parties' samples are yet to be matched: so many at most are all parties'.
void check_coordinates(const std::vector<ShardFacts>& facts, bool keyed, RunData& data) {
  data.samples = facts.front().samples;
  for (std::size_t node = 0; node < facts.size(); ++node) {
    if (keyed) {
      data.samples = std::min(data.samples, facts[node].samples);
    } else if (facts[node].samples != data.samples) {
      fail(ErrorCategory::BadData,
           "shard {} has {} samples but shard 0 has {} ({}); shards of coordinates need the same samples, "
           "row by row",
           node, facts[node].samples, data.samples, facts[node].source);
    }
    data.sizes.push_back(facts[node].features);
    data.features += facts[node].features;
  }
}

std::vector<Dataset> own_datasets(const Settings& settings, const MethodContext& context,
                                  const Dealing& dealing, RunData& data) {
  if (!has_own_data(settings, context)) return deal_out(settings, context, dealing, data);
  if (context.data.arrays.empty()) return read_existing_shards(settings.data, dealing, data.own);
  return arrays_of_nodes(context.data, data.own, settings.data);
}

void require_numbers_alone(const DataSettings& data) {
  if (!asks_for_tables(data)) return;
  throw Error(
      ErrorCategory::InvalidArgument,
      "nodes with coordinates of their own have numbers alone; omit --id, --columns, --drop, --categorical, "
      "--missing, --na and --decimal, or make one-hot columns beforehand");
}

// By a recipe, where somebody asks for one or files have names; all processes call it.
std::vector<Dataset> all_datasets(const Settings& settings, MethodContext& context, const Dealing& dealing,
                                  RunData& data) {
  const bool of_samples = dealing.division == Division::samples;
  if (!of_samples) context.processes.together([&] { require_numbers_alone(settings.data); });
  if (of_samples && wants_tables(settings.data, context.processes)) {
    TableShards tables =
        read_tables(settings, context,
                    {.nodes = data.nodes,
                     .own = data.own,
                     .without_data = dealing.without_data,
                     .pooled = dealing.pooled,
                     .min_count = dealing.min_count > 0 ? dealing.min_count : settings.data.min_count,
                     .in_file_order = dealing.in_file_order});
    data.rows = std::move(tables.rows);
    return std::move(tables.shards);
  }
  std::vector<Dataset> shards =
      context.processes.together([&] { return own_datasets(settings, context, dealing, data); });
  if (of_samples && context.data.arrays.empty()) put_in_order(shards, data.own, context);
  return shards;
}

}  // namespace

std::vector<std::int64_t> RunData::columns_of(NodeId node) const {
  if (columns.empty()) return {};
  const std::vector<Index>& part = columns[place(node)];
  return {part.begin(), part.end()};
}

bool has_own_data(const Settings& settings, const MethodContext& context) {
  if (!context.data.arrays.empty()) return context.data.arrays.size() > 1;
  return is_shard_pattern(settings.data.data);
}

Index count_nodes(const Settings& settings, MethodContext& context, Index without_data) {
  return context.processes.together([&] {
    if (!context.data.streams.empty()) return static_cast<Index>(context.data.streams.size());
    if (context.data.arrays.size() > 1) return static_cast<Index>(context.data.arrays.size());
    return has_own_data(settings, context) ? nodes_of_pattern(settings, context, without_data)
                                           : std::max<Index>(settings.data.nodes, 1);
  });
}

RunData read_shards(const Settings& settings, MethodContext& context, const Dealing& dealing) {
  ProcessGroup& processes = context.processes;
  RunData data;
  data.nodes = count_nodes(settings, context, dealing.without_data);
  data.own = nodes_with_data(processes.engine().own_nodes(data.nodes + dealing.without_data), data.nodes);
  std::vector<Dataset> shards = all_datasets(settings, context, dealing, data);
  const std::vector<ShardFacts> facts = tell_facts(shards, processes);
  processes.together([&] {
    if (dealing.division == Division::samples) {
      check_samples(facts, data);
    } else {
      check_coordinates(facts, !dealing.key.empty(), data);
    }
  });
  note_columns(shards, settings, context);
  for (Dataset& shard : shards) {
    data.shards.push_back(std::move(shard.samples));
    data.keys.push_back(std::move(shard.keys));
    data.labels.push_back(std::move(shard.labels));
  }
  if (!data.note.empty()) add_notes({data.note}, context.result);
  context.result.nodes = data.nodes;
  context.result.samples = data.samples;
  context.result.features = data.features;
  if (context.draws && dealing.to_draw) {
    context.sketch.keep(data.own, data.shards, data.labels);
    if (processes.size() > 1) context.sketch.say_whose(data.own);
  }
  return data;
}

void check_network_settings(const Settings& settings, const MethodContext& context) {
  const bool pattern = is_shard_pattern(settings.data.data) || context.data.is_in_memory();
  if (!pattern && settings.data.nodes < 1) {
    throw Error(ErrorCategory::InvalidArgument,
                "--nodes is missing: this method needs to know how many nodes there are");
  }
  if (settings.network.yardsticks && settings.engine.engine == "mpi") {
    throw Error(ErrorCategory::InvalidArgument,
                "--yardsticks needs all samples in one place and is not available with --engine mpi; omit "
                "it, or use --engine "
                "local");
  }
}

Preprocessing preprocess(const Settings& settings, Samples& samples, Index indicators) {
  Preprocessing preprocessing = settings.preprocessing();
  preprocessing.indicators = indicators;
  if (preprocessing.standardize == Standardize::zscore) {
    preprocessing = fit_zscore(preprocessing, feature_moments(samples));
  }
  preprocessing.apply(samples);
  return preprocessing;
}

Dataset selected(Dataset dataset, const std::vector<std::int64_t>& labels) {
  return labels.empty() ? dataset : select_labels(dataset, labels);
}

}  // namespace choir
