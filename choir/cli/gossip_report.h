// What a run of gossip-pca found, in the words of result.json, of metrics.jsonl and of the terminal.
//
//   const std::vector<Json> nodes = gather_nodes(numbers_of(fit), processes);
//   summarise_gossip(nodes, whole_weight, result);
//   run.finish(result, gossip_table);
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "choir/cli/network_report.h"
#include "choir/learn/gossip_pca/gossip_pca.h"
#include "choir/learn/gossip_pca/quality.h"
#include "choir/report/result.h"

namespace choir::cli {

// One entry for each node of this process that has an answer.
Json numbers_of(const GossipPcaFit& fit);

// From the entries of all nodes. Eigenvalues are those of the first node, which gossip makes nearly those of
// all; changes and gaps are the largest of a node. `whole_weight` is that of all samples (coordinates: rows);
// nothing if samples are forgotten, and nobody knows how much is left.
void summarise_gossip(const std::vector<Json>& nodes, std::optional<double> whole_weight, RunResult& result);
void describe_quality(const GossipQuality& quality, Division division, RunResult& result);
// Along a tree nobody counts messages of its own; the ledger does. `messages_per_node` is the mean of it.
void count_tree_messages(RunResult& result);

// {"node": 3, "window": 1, "sent": 12, "change": 0.2, "gap": 0.1}: one line for each of this node's windows,
// with its "error" beyond that of the best answer, and a line for the start, if that is known.
std::vector<Json> window_lines(const Json& node, std::span<const double> error = {});

// Components, errors if there are yardsticks, what left a node, and how the run ended.
std::string gossip_table(const RunResult& result);

}  // namespace choir::cli
