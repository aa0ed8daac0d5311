// Decentralised kernel PCA with projection consensus: every node ends with directions in feature space that
// approximate the kernel principal components of all samples of the network. No fusion centre.
//
//   const auto engine = make_engine("local");
//   consensus_kpca::Options options;
//   const auto fit = fit_consensus_kpca(*engine, make_topology("ring:4", 20, 0), shards, options);
//   const Model model = model_of(fit.at(0), consensus_kpca::Answer::shared);
//   const Matrix scores = transform(model, samples);
//
// One node's program is node_program(); README.md has the equations it follows, with their numbers.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "choir/graph/graph.h"
#include "choir/learn/assessment/assessment.h"
#include "choir/learn/consensus_kpca/options.h"
#include "choir/learn/features/feature_store.h"
#include "choir/learn/fit.h"
#include "choir/learn/shard.h"
#include "choir/linalg/types.h"
#include "choir/model/preprocessing.h"
#include "choir/runtime/array.h"
#include "choir/runtime/contract.h"
#include "choir/runtime/engine.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir::consensus_kpca {

// What a node remembers of an iteration.
struct Iteration {
  double change = 0;  // largest ||b_d - b_old_d|| / ||b_d|| of the components that are kept
  double gap = 0;     // max_l ||p_jl - p_jj|| / ||p_jj||, over all columns
};

// The point in feature space that all samples are seen from: mu = sum_n weights_n phi(points_n).
struct MeanElement {
  std::optional<Array> points = {};  // M x m; nothing: the origin, or, if centred locally, each shard's mean
  Vector weights = {};               // m
  double norm = 0;                   // ||mu||^2
};

// Random features and what was learned in them; share = random_features.
struct SharedFeatures {
  Index count = 0;
  std::uint64_t seed = 0;
  Vector mean;           // of the features of all samples
  Matrix directions;     // m x D, orthonormal
  Vector sample_mean;    // M: of a sample with scores 0, and
  Matrix sample_slopes;  // M x D: the node's own samples regressed on their scores, for inverse
};

// What one node ends with. Samples are shared with the messages that brought them, so that ten thousand
// results in one process hold every sample once; model_of() makes copies.
struct NodeResult {
  NodeId node = 0;
  Kernel kernel = {};  // with the agreed gamma
  Preprocessing preprocessing = {};
  Centering centering = Centering::landmark;
  Share share = Share::samples;
  Answer use = Answer::shared;   // as asked for, or the one that claims most
  MeanElement mean = {};         // what samples are seen from
  MeanElement shared_mean = {};  // the same in landmarks, for the shared answer
  Vector shown_mean_weights =
      {};  // exchange noise: the mean that noisy samples are seen from, on mean.points

  std::vector<NodeId> neighborhood = {};  // whose samples `shards` are: the node itself first
  std::vector<Array> shards = {};         // M x N_l each
  Matrix own_coefficients = {};           // N_j x D, over centred samples: alpha_j
  Matrix own_overlap = {};                // D x D: w_j'w_j, because the own directions are not orthonormal
  Matrix neighborhood_coefficients = {};  // samples of the neighbourhood x D: c_j; share = samples
  Matrix shared_coefficients = {};        // m x D over shared_mean.points; where there are landmarks
  std::optional<SharedFeatures> features = {};  // share = random_features

  // D; the same at all nodes. Of the shared answer: of the centred kernel matrix of all samples within the
  // landmarks' span, and so never too high. Of a node's own or its neighbourhood's: an estimate, 1 to 5% high
  // at 20 nodes.
  Vector eigenvalues = {};
  double trace = 0;         // of all nodes' centred kernel matrices
  Index total_samples = 0;  // N, in all nodes

  Assessment assessment =
      {};                   // of the answer that is used unless another is asked for; the same at all nodes
  double kernel_error = 0;  // share = random_features: rms of psi(x)'psi(y) - k(x, y)

  bool converged = false;  // all nodes were content in the last iteration
  bool led_away = false;   // the iteration ended further from the shared answer than it began: it was undone
  Index iterations = 0;
  double change = 0;                    // of the last iteration
  Vector consensus_gap = {};            // D
  double between_node_variance = 0;     // share of the variance that lies between the nodes' means
  double rho = 0;                       // of neighbours, in the last iteration
  std::vector<Iteration> history = {};  // one for each iteration
  std::vector<Matrix> iterates = {};    // neighborhood_coefficients as they were after each, if they are kept
  std::vector<std::string> notes = {};  // sentences the user should read; the same at all nodes
  double setup_seconds = 0;             // on the machine's clock
  double iterate_seconds = 0;
};

// What somebody wants to see of a run who studies the method.
struct Study {
  bool keep_iterates = false;  // the directions after each iteration, to measure how they came about
};

// What a node is told by whoever runs it; fit_consensus_kpca() knows it.
struct Circumstances {
  // Hops between the nodes that are farthest apart, if somebody knows: all stop that much sooner.
  std::optional<Index> diameter = {};
  std::shared_ptr<FeatureStore> store = {};  // where nodes of one process find what they all draw alike
  Study study = {};
};

// The node program. Node 0 tells the run's watch of the iterations.
Task<NodeResult> node_program(Node& node, Shard shard, Options options, Circumstances circumstances);

// What a network is made of, for planning: `samples(j)` is the size of node j's shard, asked for the nodes of
// this process, `own`, and their neighbours.
struct Shape {
  const Graph& graph;
  NodeRange own;
  Index features = 0;
  std::function<Index(NodeId)> samples;
};
// The graph must outlive the contract. Its memory is what comes on top of the shards, which are there before
// the run.
Contract contract(const Shape& shape, const Options& options);

using Fit = FitOf<NodeResult>;

}  // namespace choir::consensus_kpca

namespace choir {

// Runs the program on every node. `shards`: of the nodes that this process runs, in their order. Throws what
// the node programs throw, and Error(InvalidArgument) for a wrong number of shards.
consensus_kpca::Fit fit_consensus_kpca(Engine& engine, const Graph& graph, Shards shards,
                                       const consensus_kpca::Options& options, const RunOptions& run = {},
                                       const consensus_kpca::Study& study = {});

}  // namespace choir
