// Federated kernel k-means: devices keep their samples, a server that never sees one asks for sums, and all
// end with the same clusters. README.md has the equations.
//
//   const Graph star = ...;                             // J devices, and the server: the last node
//   const FederatedKmeansFit fit = fit_federated_kmeans(*engine, star, shards, options);
//   fit.at(0).labels;                                   // of device 0, which nobody else knows
//   fit.at(0).model.predict(samples);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "choir/graph/graph.h"
#include "choir/learn/federated_kmeans/options.h"
#include "choir/model/cluster_model.h"
#include "choir/runtime/contract.h"
#include "choir/runtime/engine.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir {

// One sum over the devices, as its coordinator saw it.
struct FederatedRound {
  std::string what;                 // "gram", "lloyd", ...
  std::size_t answered = 0;         // with a server only
  std::vector<NodeId> silent = {};  // devices, ascending
  std::size_t refused = 0;
  double samples = 0;  // of those who answered
  Index attempts = 1;
};

struct FederatedKmeans {
  NodeId node = 0;
  ClusterModel model = {};
  std::vector<std::int64_t> labels = {};  // of a device's own samples
  // Sum of squared distances of embedded samples to their centroids, over all devices; scaled up if some were
  // silent.
  double inertia = 0;
  Index iterations = 0;  // of the restart that was the best
  // To tol; not if max_iter came first, or sums were inexact: devices silent now and then, few messages.
  bool converged = false;
  // What tol is compared with: squared movement of the centres in the last iteration, relative to the mean
  // variance; at who coordinates.
  std::optional<double> change = {};
  EigenRoute route = EigenRoute::cheapest;  // the one that was taken; at who coordinates
  std::string route_words = {};             // why, in numbers
  std::vector<FederatedRound> rounds = {};  // at who coordinates
  std::vector<std::string> notes = {};      // sentences the user should read
  double seconds = 0;
};

// The node programs. A device's shard is M x N_m.
Task<FederatedKmeans> federated_kmeans_server(Node& node, FederatedKmeansOptions options);
Task<FederatedKmeans> federated_kmeans_device(Node& node, Samples shard, FederatedKmeansOptions options);
Task<FederatedKmeans> gossip_kmeans(Node& node, Samples shard, FederatedKmeansOptions options);

// `samples(j)`: of device j.
struct FederatedShape {
  Index nodes = 0;  // the server included
  Index features = 0;
  std::function<Index(NodeId)> samples;
};
Contract federated_kmeans_contract(const FederatedShape& shape, const FederatedKmeansOptions& options);

struct FederatedKmeansFit {
  std::vector<std::optional<FederatedKmeans>> nodes;  // nothing: crashed, or in another process
  RunReport report;

  const FederatedKmeans& at(NodeId node) const&;  // throws Error(InvalidArgument) if there is nothing
  const FederatedKmeans& at(NodeId node) && = delete;
};

// Coordination server: the last node of the graph is the server and needs a link to every other. `shards` of
// the devices that this process runs, in their order. Throws what the node programs throw, and
// Error(InvalidArgument) for a wrong number of shards, features that differ, or links that are missing.
FederatedKmeansFit fit_federated_kmeans(Engine& engine, const Graph& graph, std::vector<Samples> shards,
                                        const FederatedKmeansOptions& options, const RunOptions& run = {});

}  // namespace choir
