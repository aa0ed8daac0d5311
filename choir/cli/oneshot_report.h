// What a run of oneshot-kpca found, in the words of result.json and of the terminal.
//
//   const std::vector<Json> nodes = gather_nodes(numbers_of(fit), processes);
//   summarise_oneshot(nodes, result);
//   describe_left_out(nodes, left_out_keys, result);
//   run.finish(result, oneshot_table);
#pragma once

#include <map>
#include <string>
#include <vector>

#include "choir/cli/network_report.h"
#include "choir/learn/oneshot_kpca/oneshot_kpca.h"
#include "choir/report/result.h"

namespace choir::cli {

// One entry for each node of this process that has a result. No keys: entries go to all processes.
Json numbers_of(const OneshotKpcaFit& fit);

// From the entries of all nodes. Eigenvalues are those of the first node that has the answer; with gossip
// those of the others are nearly the same.
void summarise_oneshot(const std::vector<Json>& nodes, RunResult& result);

// A note for each node whose samples are not all everybody's. The keys are named of nodes in `keys` alone,
// which are those of this process: nobody else is to learn them.
using KeysByNode = std::map<NodeId, std::vector<std::string>>;
void describe_left_out(const std::vector<Json>& nodes, const KeysByNode& keys, RunResult& result);

// Components, the error if there are yardsticks, what left a node, and who has the answer.
std::string oneshot_table(const RunResult& result);

}  // namespace choir::cli
