// What a run of online-kernel found, in the words of result.json, of metrics.jsonl and of the terminal.
//
//   OnlineHistory history(own_nodes);
//   hooks.after_round = [&](const OnlineRound& round, const OnlineState&) { history.add(round); };
//   ...
//   const std::vector<Json> nodes = gather_nodes(numbers_of(fit, history, tests), processes);
//   summarise_online(nodes, method, result);
//   run.finish(result, online_table);
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "choir/cli/network_report.h"
#include "choir/learn/online_kernel/online_kernel.h"
#include "choir/report/result.h"

namespace choir::cli {

// Some rounds of every node of this process, ever fewer of them: a stream may be long.
class OnlineHistory {
 public:
  void add(const OnlineRound& round);  // from any thread
  Json of(NodeId node) const;

 private:
  struct Track {
    std::uint64_t next = 1;  // round that is kept next
    Json rounds = Json::array();
  };
  mutable std::mutex mutex_;
  std::map<NodeId, Track> tracks_;
};

// Accuracy (classes) or root mean squared error (values) on samples that nobody has learned from.
double quality_of(const KernelMachine& machine, const Samples& samples, const Vector& targets, int threads);

// One entry for each node of this process that has an answer. `quality`: of these, or empty. `from`: where
// these went on from; empty if they began.
Json numbers_of(const OnlineKernelFit& fit, const OnlineHistory& history,
                const std::map<NodeId, double>& quality, const std::map<NodeId, OnlineState>& from = {});

// From the entries of all nodes. That they went on from a checkpoint joins the faults that are already there.
void summarise_online(const std::vector<Json>& nodes, const OnlineKernelOptions& method, RunResult& result);

// {"node": 3, "round": 40, "samples": 1280, "model_order": 17, "loss": 0.3, ...}; nothing of a batch where
// there was none.
std::vector<Json> round_lines(const Json& node);

// Quality if there was a test, the dictionaries, how fast it was, and what left a node.
std::string online_table(const RunResult& result);

}  // namespace choir::cli
