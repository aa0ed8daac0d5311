// Federated kernel k-means: devices keep their samples, a server that never sees one asks for sums, and all
// end with the same clusters. README.md has the equations.
//
//   const auto fit = fit_federated_kmeans(*engine, shards, options);    // a server of its own beside them
//   fit.at(0).labels;                                                   // known to device 0 alone
//   fit.at(0).model.predict(samples);
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "choir/graph/graph.h"
#include "choir/learn/features/feature_store.h"
#include "choir/learn/federated_kmeans/options.h"
#include "choir/learn/fit.h"
#include "choir/learn/privacy/privacy_report.h"
#include "choir/learn/shard.h"
#include "choir/model/cluster_model.h"
#include "choir/model/model_file.h"
#include "choir/runtime/contract.h"
#include "choir/runtime/engine.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir::federated_kmeans {

// One sum over the devices, as its coordinator saw it.
struct Round {
  std::string what;                 // "gram", "lloyd", ...
  std::size_t answered = 0;         // with a server only
  std::vector<NodeId> silent = {};  // devices, ascending
  std::size_t refused = 0;
  double samples = 0;  // of those who answered
  Index attempts = 1;
};

// How much of the kernel an embedding keeps, in shares of traces.
struct KeptTrace {
  Index rank = 0;                          // eigenvectors
  double of_kernel = 0;                    // tr B'B / tr K
  std::optional<double> of_features = {};  // tr B'B / tr W'W, where the whole spectrum of W'W is known

  template <class Visitor>
  void fields(Visitor& visit) {
    visit(rank, of_kernel, of_features);
  }
};

// A number of clusters, and how good the best restart with it is.
struct TriedClusters {
  Index clusters = 0;
  double silhouette = 0;
  double inertia = 0;

  template <class Visitor>
  void fields(Visitor& visit) {
    visit(clusters, silhouette, inertia);
  }
};

struct NodeResult {
  NodeId node = 0;
  ClusterModel model = {};
  std::vector<std::int64_t> labels = {};  // of a device's own samples; none under differential privacy
  // Sum of squared distances of embedded samples to their centroids, over all devices; scaled up if some were
  // silent.
  double inertia = 0;
  Index iterations = 0;  // of the restart that was the best
  // To tol; not if max_iter came first, or sums were inexact: devices silent now and then, few messages.
  // Under differential privacy: whether all planned rounds were done, which is always so.
  bool converged = false;
  // What tol is compared with: squared movement of the centres in the last iteration, relative to the mean
  // variance; at who coordinates.
  std::optional<double> change = {};
  // At who coordinates, as all that follows: the mean over all samples of 1 - a / b, with distances a to the
  // own and b to the nearest other centroid of the embedding; nothing for a single cluster.
  std::optional<double> silhouette = {};
  bool unfinished_swaps = false;  // swaps of centres still lowered the inertia when their limit was reached
  std::optional<KeptTrace> kept = {};
  std::vector<TriedClusters> tried = {};    // n_clusters auto
  EigenRoute route = EigenRoute::cheapest;  // the one that was taken
  std::string route_words = {};             // why, in numbers
  std::vector<Round> rounds = {};
  // Under differential privacy. All figures above that samples would show in are then left out.
  std::optional<PrivacyReport> privacy = {};
  std::vector<std::string> notes = {};  // sentences the user should read
  double seconds = 0;
};

// What somebody wants to do to a run who studies the method.
struct Study {
  // Devices that do not answer in a round. All products of one eigendecomposition are a round.
  std::function<bool(NodeId device, Index round)> absent = {};
};

// What all nodes have in common and are told by whoever runs them; fit_federated_kmeans() knows it.
struct Circumstances {
  std::uint64_t seed = 0;
  Index features = 0;  // M
  Index devices = 0;   // of the network, the server not counted
  std::shared_ptr<FeatureStore> store = {};
  Study study = {};
};

// The node programs. A device's shard is M x N_m. Who coordinates tells the run's watch of the iterations.
Task<NodeResult> server_program(Node& node, Options options, Circumstances circumstances);
Task<NodeResult> device_program(Node& node, Shard shard, Options options, Circumstances circumstances);
Task<NodeResult> gossip_program(Node& node, Shard shard, Options options, Circumstances circumstances);

// `samples(j)`: of device j.
struct Shape {
  Index nodes = 0;  // the server included
  Index features = 0;
  std::function<Index(NodeId)> samples;
};
Contract contract(const Shape& shape, const Options& options);

ModelFile file_of(const NodeResult& fit);

Graph star(Index devices);  // and the server: the last node

using Fit = FitOf<NodeResult>;

}  // namespace choir::federated_kmeans

namespace choir {

// Coordination server, all devices in this process: node j has shard j, and the server is a node of its own
// after them. Throws what the node programs throw, and Error(InvalidArgument) for features that differ.
federated_kmeans::Fit fit_federated_kmeans(Engine& engine, Shards shards,
                                           const federated_kmeans::Options& options,
                                           const RunOptions& run = {},
                                           const federated_kmeans::Study& study = {});
// Any network, any engine; `shards` of the devices that this process runs, in their order. Coordination
// server: the last node of the graph is the server and needs a link to every other. Throws as well for a
// wrong number of shards or links that are missing.
federated_kmeans::Fit fit_federated_kmeans(Engine& engine, const Graph& graph, Shards shards,
                                           const federated_kmeans::Options& options,
                                           const RunOptions& run = {},
                                           const federated_kmeans::Study& study = {});

}  // namespace choir
