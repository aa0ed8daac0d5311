// What a run of consensus-kpca found, in the words of result.json, of metrics.jsonl and of the terminal.
//
//   const std::vector<Json> nodes = gather_nodes(numbers_of(fit), processes);
//   summarise_consensus(nodes, result);
//   run.finish(result, consensus_table);
#pragma once

#include <string>
#include <vector>

#include "choir/cli/network_report.h"
#include "choir/learn/consensus_kpca/consensus_kpca.h"
#include "choir/learn/consensus_kpca/quality.h"
#include "choir/report/result.h"

namespace choir::cli {

// One entry for each node of this process that has an answer.
Json numbers_of(const ConsensusKpcaFit& fit);

// From the entries of all nodes. What the nodes agreed on is the same in each; gaps are means over nodes.
void summarise_consensus(const std::vector<Json>& nodes, RunResult& result);
void describe_quality(const ConsensusQuality& quality, RunResult& result);

// {"node": 3, "iteration": 1, "change": 0.2, "gap": 0.1}: one line for each of this node's iterations, with
// its "similarity" to the central answer if that is known.
std::vector<Json> iteration_lines(const Json& node, const Vector& similarity = {});

// Components, similarities if there are yardsticks, what left a node, and how the run ended.
std::string consensus_table(const RunResult& result);

}  // namespace choir::cli
