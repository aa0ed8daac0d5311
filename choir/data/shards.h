// Pieces of a data set: taking some of it, putting shards together, reading shards that already exist.
//
//   const std::vector<Dataset> shards = read_shards("data/part-{node}.npy", 20);
//   const Dataset all = concatenate(shards);
//   const Dataset some = select_labels(all, wanted);                 // std::vector<std::int64_t>
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "choir/data/dataset.h"

namespace choir {

// The samples of these indices with their labels and keys, in this order.
Dataset take_samples(const Dataset& dataset, std::span<const Index> samples);
// All samples, reduced to these features.
Dataset take_features(const Dataset& dataset, std::span<const Index> features);

// The samples that have one of these labels, in their order. Throws Error(InvalidArgument) for a data set
// without labels or a label that no sample has.
Dataset select_labels(const Dataset& dataset, std::span<const std::int64_t> labels);

// All samples, shard after shard; labels and keys if every shard has them. Throws Error(BadData) if the
// shards differ in their number of features.
Dataset concatenate(std::span<const Dataset> shards);
void check_same_features(std::span<const Dataset> shards);

// Whether the text has {node} or {rank} in it, and the text with the number in its place.
bool is_shard_pattern(std::string_view text);
std::string expand_shard_pattern(std::string_view pattern, Index node);

// The shards of nodes 0 .. nodes-1, of one width. The pattern may pick an array (`part-{node}.npz:images`);
// files of labels and keys in the options are patterns too.
std::vector<Dataset> read_shards(const std::string& pattern, Index nodes, const ReadOptions& options = {});
// One of them, for a node that reads its own.
Dataset read_shard(const std::string& pattern, Index node, const ReadOptions& options = {});

}  // namespace choir
