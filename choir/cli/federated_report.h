// What a run of federated-kmeans found, in the words of result.json, of metrics.jsonl and of the terminal.
//
//   const std::vector<Json> nodes = gather_nodes(numbers_of(fit, truth), processes);
//   summarise_federated(nodes, result);
//   describe_truth(nodes, result);                     // if there are labels to compare with
//   run.finish(result, federated_table);
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "choir/cli/network_report.h"
#include "choir/learn/federated_kmeans/federated_kmeans.h"
#include "choir/report/result.h"

namespace choir::cli {

// The labels that this process's devices came with, from device `first` on; each may be empty.
struct DeviceTruth {
  NodeId first = 0;
  const std::vector<std::vector<std::int64_t>>& labels;
};

// One entry for each node of this process that has a result. Of the labels goes with it how often each met
// which cluster.
Json numbers_of(const FederatedKmeansFit& fit, const DeviceTruth& truth);

// From the entries of all nodes. Devices that were silent join the faults that are already there.
void summarise_federated(const std::vector<Json>& nodes, const FederatedKmeansOptions& method,
                         RunResult& result);

// Mutual information, adjusted Rand index and accuracy, if devices had labels.
void describe_truth(const std::vector<Json>& nodes, RunResult& result);

// What devices and the server sent, apart; without a server nothing is said.
void describe_traffic(const Ledger& ledger, Index devices, RunResult& result);

// One line for every sum that was asked for: {"round": 3, "what": "lloyd", "answered": 98, "silent": 2, ...}
std::vector<Json> round_lines(const std::vector<Json>& nodes);

// Sizes of the clusters, how good they are, who answered, and what left a device.
std::string federated_table(const RunResult& result);

}  // namespace choir::cli
