// Asynchronous gossip PCA: nodes that never wait, lose messages, crash and join late, and end with the
// principal components of all samples. README.md has the equations.
//
//   const auto engine = make_engine("local");
//   const auto fit = fit_gossip_pca(*engine, make_topology("complete", 20, 0), shards, options);
//   const Model model = model_of(fit.at(0));
//   fit.at(0).participants;                              // how many nodes' samples are in it
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "choir/graph/graph.h"
#include "choir/learn/assessment/assessment.h"
#include "choir/learn/features/feature_map.h"
#include "choir/learn/fit.h"
#include "choir/learn/gossip_pca/feed.h"
#include "choir/learn/gossip_pca/observer.h"
#include "choir/learn/gossip_pca/options.h"
#include "choir/learn/shard.h"
#include "choir/runtime/blocks/gossip.h"
#include "choir/runtime/contract.h"
#include "choir/runtime/engine.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir::gossip_pca {

// What a node remembers of a window of receptions.
struct Window {
  std::uint64_t sent = 0;  // messages of its own by then
  double change = 0;       // of mean and variances over the window, relative
  double gap = 0;          // largest disagreement with a neighbour in the window
};

struct NodeResult {
  NodeId node = 0;
  Division division = Division::samples;
  Preprocessing preprocessing = {};
  std::optional<FeatureMap> map = {};               // kernel form: what the numbers below are about
  std::optional<SampleRegression> regression = {};  // random features: for `inverse`

  // samples: of the estimate of the network's samples, D or m numbers long.
  // coordinates: `mean` and `loadings` of the node's own coordinates, `directions` over all samples.
  Vector mean = {};
  Matrix directions = {};     // D x q (coordinates: n x q), orthonormal, sign rule applied
  Matrix loadings = {};       // coordinates: D_i x q; those of all nodes together are orthonormal
  Vector variances = {};      // q: eigenvalues of the covariance (coordinates: of Z'Z/D)
  double total_variance = 0;  // its trace, carried or not
  double total_weight = 0;    // samples (coordinates: rows) in the network, as far as it took part
  Index samples = 0;          // in the network; with a half-life: that still count, rounded

  // Refined: no kept variance grew by more than tol. Otherwise: mean and variances have settled, and the node
  // and its neighbours agree. Whether all nodes are in it is another question, see `participants`.
  bool converged = false;
  double change = 0;                          // over the last window, or in the last step of the refinement
  double gap = 0;                             // in the last window; refined: none
  bool refined = false;                       // the answer is one that all nodes computed together
  bool torn = false;                          // it was to be, but somebody could not be reached
  Index refinement_steps = 0;                 // sums over all nodes that it took
  std::optional<Assessment> assessment = {};  // of a refined answer
  double between_node_variance = 0;           // share of the variance that lies between the nodes' means
  Index participants = 1;                     // nodes whose samples are in the estimate, this one included
  double weight = 0;                          // w that is left at the node: all nodes' add up to the samples
  GossipCounts counts = {};
  std::uint64_t received = 0;  // shares merged
  std::vector<Window> history = {};
  std::vector<Principal> iterates =
      {};                               // what it would have answered at first and after each window, if kept
  std::vector<std::string> notes = {};  // sentences the user should read
  double seconds = 0;                   // on the machine's clock, from its start to its end
  double merge_seconds = 0;             // inside merges
};

// What somebody wants to see of a run who studies the method.
struct Study {
  bool keep_iterates = false;  // the answer at the start and after each window, to measure how it came about
  std::function<void(const Event&)> observe = {};  // sees every change of every node; from its thread
};

// What a node is told by whoever runs it; fit_gossip_pca() knows it.
struct Circumstances {
  std::uint64_t feature_seed = 0;  // all nodes draw the same random features from it
  std::shared_ptr<FeatureStore> store = {};
  // What a node sends of its own alone, before it has received anything; nothing: raw_samples if that is a
  // single sample, else own_statistics.
  std::optional<Kind> own_kind = {};
  // Share of the disagreement that averaging with all neighbours removes: 1 in a complete network, less the
  // longer news take.
  double mixing = 1;
  bool samples_arrive = false;  // at any node, while it gossips
  Study study = {};
};

// The node program. Node 0 tells the run's watch of its messages.
Task<NodeResult> node_program(Node& node, Shard shard, SampleFeed feed, Options options,
                              Circumstances circumstances);

// `features`: M (coordinates: samples of all nodes, n); `samples(j)`: of node j (coordinates: its rows).
struct Shape {
  const Graph& graph;
  Index features = 0;
  std::function<Index(NodeId)> samples;
};
Contract contract(const Shape& shape, const Options& options);

using Fit = FitOf<NodeResult>;

}  // namespace choir::gossip_pca

namespace choir {

// Runs the program on every node. `shards` of the nodes that this process runs, in their order: M x N_j, or,
// for coordinates, M_j x N. `feeds` is empty, or has one for each of these nodes. Throws what the node
// programs throw, and Error(InvalidArgument) for a wrong number of shards or a schedule that the graph does
// not have the links for.
gossip_pca::Fit fit_gossip_pca(Engine& engine, const Graph& graph, Shards shards,
                               const gossip_pca::Options& options, const RunOptions& run = {},
                               std::vector<gossip_pca::SampleFeed> feeds = {},
                               const gossip_pca::Study& study = {});

}  // namespace choir
