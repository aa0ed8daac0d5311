// What the methods with a network share: who talks to whom, what the nodes of all processes found, and how
// the program compares them with the central answer.
//
//   check_network_options(options);
//   const Graph graph = make_network(options, data.nodes, run);
//   ...
//   for (const Json& node : gather_nodes(own_nodes, processes)) run.record(node);
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "choir/cli/fit_data.h"
#include "choir/cli/fit_options.h"
#include "choir/cli/fit_run.h"
#include "choir/cli/process_group.h"
#include "choir/graph/graph.h"
#include "choir/learn/central/yardsticks.h"
#include "choir/report/result.h"

namespace choir::cli {

using Json = nlohmann::ordered_json;

// Throws Error(InvalidArgument) for what no method with a network can do, before any data are read.
void check_network_options(const FitOptions& options);

// The topology that the options name; the run's options say what "auto" came to stand for.
Graph make_network(const FitOptions& options, Index nodes, FitRun& run);

void describe_data(const FitData& data, RunResult& result);

// From a list with an entry for every node of this process to the entries of all, in the order of the nodes.
// Throws Error(PeerLost) if no node is left to have one.
std::vector<Json> gather_nodes(const Json& own, ProcessGroup& processes);

Json list_of(const Vector& values);
Vector vector_of(const Json& list);
// Each sentence once, however many nodes have it.
void add_notes(const std::vector<std::string>& notes, RunResult& result);

void describe_yardsticks(const Yardsticks& yardsticks, RunResult& result);

// A column of the table of similarities: a key of `quality` and what people call it.
struct SimilarityColumn {
  std::string key;
  std::string title;
};
// Means over nodes, a row a component; columns that the result does not have are left out.
std::string similarity_table(const RunResult& result, const std::vector<SimilarityColumn>& columns);

}  // namespace choir::cli
