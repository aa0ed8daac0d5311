// What the methods with a network share: who talks to whom, what the nodes of all processes found, and how
// the program compares them with the central answer.
//
//   check_network_options(options);
//   const Graph graph = make_network(options, data.nodes, run);
//   ...
//   for (const Json& node : gather_nodes(own_nodes, processes)) run.record(node);
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "choir/cli/fit_data.h"
#include "choir/cli/fit_options.h"
#include "choir/cli/fit_run.h"
#include "choir/cli/network_report.h"
#include "choir/cli/process_group.h"
#include "choir/graph/graph.h"
#include "choir/report/result.h"
#include "choir/runtime/contract.h"

namespace choir::cli {

// Throws Error(InvalidArgument) for what no method with a network can do, before any data are read.
void check_network_options(const FitOptions& options);

// The topology that the options name; the run's options say what "auto" came to stand for.
Graph make_network(const FitOptions& options, Index nodes, FitRun& run);

// Plans the memory of the run, says so if it is much, and returns the bytes of the process that needs the
// most. What does not fit the engine refuses, with words about shards. Where other things decide, they are
// `to_need_less` ("choose a smaller --batch"), and all processes refuse here: throws Error(OutOfMemory).
std::uint64_t announce_memory(const Contract& contract, const Graph& graph, const FitOptions& options,
                              ProcessGroup& processes, FitRun& run, const std::string& to_need_less = "");

void describe_data(const FitData& data, RunResult& result);

// From a list with an entry for every node of this process to the entries of all, in the order of the nodes.
// Throws Error(PeerLost) if no node is left to have one.
std::vector<Json> gather_nodes(const Json& own, ProcessGroup& processes);

}  // namespace choir::cli
