// How one data set is dealt out to J nodes.
//
//   const PartitionSpec spec = parse_partition("label:2");
//   const Partition parts = partition(spec, 20, {.samples = N, .features = M, .labels = labels}, seed);
//   Samples shard = take_samples(digits, parts[3]).samples;
//   std::vector<Samples> shards = split_samples(digits, "iid", 20, seed);
//
// iid          all samples in random order, node sizes equal within one
// label:K      node j gets the sorted distinct labels (j + i) mod C, i < K, in equal counts: as many of
//              each as the scarcest label allows, so some samples may stay unused
// sizes:A..B   node j gets n_j samples, n_j uniform in A..B; the rest stays unused
// features     all features in random order, equal within one; every node has all samples
//
// The same seed gives the same parts. No sample (feature) is given twice.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "choir/data/dataset.h"

namespace choir {

enum class PartitionKind { iid, label, sizes, features };

struct PartitionSpec {
  PartitionKind kind = PartitionKind::iid;
  Index labels_per_node = 1;  // label:K
  Index min_size = 1;         // sizes:A..B
  Index max_size = 1;
  Index samples_per_node = 0;  // iid and label: exactly that many a node; 0: as many as there are
};

// "iid", "label:2", "sizes:50..200", "features". Throws Error(InvalidArgument).
PartitionSpec parse_partition(std::string_view text);
std::string to_string(const PartitionSpec& spec);

// What is dealt out.
struct PartitionSubject {
  Index samples = 0;                          // N
  Index features = 0;                         // M
  std::span<const std::int64_t> labels = {};  // N, or empty
};

// For each node the indices of its samples, in drawn order (of its features, ascending).
using Partition = std::vector<std::vector<Index>>;

// Throws Error(InvalidArgument) when there is not enough for every node, or no labels to go by.
Partition partition(const PartitionSpec& spec, Index nodes, const PartitionSubject& subject,
                    std::uint64_t seed);
Partition partition(const PartitionSpec& spec, Index nodes, const Dataset& dataset, std::uint64_t seed);

// The parts themselves: a shard for each node, M x N_j (for features, M_j x N). `by` as for parse_partition.
std::vector<Samples> split_samples(const Dataset& dataset, std::string_view by, Index nodes,
                                   std::uint64_t seed);

}  // namespace choir
