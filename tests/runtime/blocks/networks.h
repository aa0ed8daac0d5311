// Networks and engines that every building block is tried on.
//
//   for (const Graph& graph : small_networks()) {
//     for (const auto& engine : calm_engines()) ...        // a jittery simulator and two threads
//   }
#pragma once

#include <memory>
#include <vector>

#include "graph/expect_error.h"

#include "choir/base/rng.h"
#include "choir/graph/topology.h"
#include "choir/linalg/types.h"
#include "choir/runtime/local/local_engine.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir::testing {

inline std::vector<Graph> small_networks() {
  return {make_topology("complete", 1, 0), make_topology("line", 2, 0),  make_topology("ring:4", 12, 0),
          make_topology("line", 9, 0),     make_topology("star", 10, 0), make_topology("erdos:0.3", 16, 3)};
}

// Messages take 1 to 5 ms and a tenth of them is lost and sent again: reliable links, unlike times.
inline SimOptions jitter() {
  SimOptions options;
  options.latency = parse_latency("1ms..5ms");
  options.loss = 0.1;
  return options;
}

// One node crashes before it has done anything at all.
inline SimOptions without(NodeId node) {
  SimOptions options;
  options.crashes.push_back({.node = node, .at = Duration::zero()});
  options.joins.push_back({.node = node, .at = std::chrono::milliseconds(1)});
  return options;
}

// Both give what synchronous and tree-bound blocks may count on: every message arrives.
inline std::vector<std::unique_ptr<Engine>> calm_engines() {
  std::vector<std::unique_ptr<Engine>> engines;
  engines.push_back(std::make_unique<SimEngine>(jitter()));
  engines.push_back(std::make_unique<LocalEngine>(LocalOptions{.threads = 2}));
  return engines;
}

inline Contract contract_of(const char* method, Links links = Links::reliable) {
  return {.method = method, .kinds = {Kind::own_statistics, Kind::totals, Kind::control}, .links = links};
}

inline RunOptions seeded(std::uint64_t seed, Duration deadline = std::chrono::seconds(60),
                         LostPeers lost_peers = LostPeers::fail) {
  RunOptions options;
  options.seed = seed;
  options.deadline = deadline;
  options.lost_peers = lost_peers;
  return options;
}

// What node j starts with; the same in the program and in the oracle.
inline Matrix values_of(NodeId node, Index rows = 3, Index columns = 2) {
  Rng rng(7, Purpose("test-values"), static_cast<std::uint64_t>(node));
  Matrix values(rows, columns);
  for (Index i = 0; i < values.size(); ++i) values.data()[i] = rng.normal();
  return values;
}

inline std::vector<Matrix> all_values(const Graph& graph) {
  std::vector<Matrix> all;
  for (NodeId node = 0; node < graph.nodes(); ++node) all.push_back(values_of(node));
  return all;
}

inline Matrix mean_of(const std::vector<Matrix>& all) {
  Matrix sum = Matrix::Zero(all[0].rows(), all[0].cols());
  for (const Matrix& one : all) sum += one;
  return sum / static_cast<double>(all.size());
}

}  // namespace choir::testing

// The names that nearly every test here uses.
namespace choir {

using testing::all_values;
using testing::calm_engines;
using testing::contract_of;
using testing::expect_error;
using testing::mean_of;
using testing::seeded;
using testing::small_networks;
using testing::values_of;
using testing::without;

}  // namespace choir
