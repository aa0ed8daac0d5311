// Kernel PCA of parties that hold different features of the same samples, with one message per party.
//
//   const auto fit = fit_oneshot_kpca(*engine, shards, orders, options);
//   fit.at(0).answer->scores;             // at the centre; with fusion tree or gossip at every party
//
// `shards`: M_j x T. Before any factor is sent, the parties compare the order of their samples, blinded
// (learn/alignment). A party whose order differs ends the run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "choir/graph/graph.h"
#include "choir/kernel/centring.h"
#include "choir/learn/alignment/alignment.h"
#include "choir/learn/assessment/assessment.h"
#include "choir/learn/fit.h"
#include "choir/learn/oneshot_kpca/options.h"
#include "choir/learn/shard.h"
#include "choir/model/kernel_part.h"
#include "choir/model/model_file.h"
#include "choir/runtime/array.h"
#include "choir/runtime/contract.h"
#include "choir/runtime/engine.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir::oneshot_kpca {

// Below this, parties that gossiped have not come to one answer.
constexpr double least_agreement = 0.999;

struct Answer {
  Matrix vectors;      // T x D
  Vector eigenvalues;  // D, of the centred kernel matrix
  Matrix scores;       // T x D, of the training samples
  double trace = 0;
  std::optional<double> most_negative = {};  // eigenvalue; of kernels that are not positive definite
  Centring centring;  // of the fused kernel matrix; empty if that is centred (linear, product)
  Vector lengths;     // T: squared lengths of the samples over all features; empty if nobody told
  bool converged = true;
  double residual = 0;
  std::optional<double> bound = {};  // Theorem 1, of ||sin Theta||_F; estimator product at a centre
  Assessment assessment = {};
  std::optional<double> agreement = {};  // gossip: smallest cosine between any party's answer and node 0's
  double seconds = 0;                    // of the fusion
};

struct NodeResult {
  NodeId node = 0;
  Kernel kernel = {};  // with the agreed gamma
  Preprocessing preprocessing = {};
  Array features = Samples();                  // M_j x T, preprocessed: for new samples
  std::vector<Index> left_out = {};            // its samples that not all parties have; with match_keys
  std::optional<Answer> answer = {};           // at the centre, or everywhere
  Estimator estimator = Estimator::automatic;  // as used
  Index vectors_sent = 0;                      // D_j; of the centre too, which has no need to send its own
  bool centred_by_parties = false;             // linear kernel: each its own features
  bool raw_equivalent = false;                 // as many numbers were sent as the raw features have
  double local_seconds = 0;                    // of the party's own factor
  std::vector<std::string> notes = {};
};

// The node program.
Task<NodeResult> node_program(Node& node, Shard shard, SampleOrder order, Options options);

// `features(j)`: M_j of the nodes of this process.
struct Shape {
  const Graph& graph;
  Index samples = 0;
  std::function<Index(NodeId)> features;
};
Contract contract(const Shape& shape, const Options& options);

using Fit = FitOf<NodeResult>;

// The party's part of the model (model/kernel_part.h).
KernelPart part_of(const NodeResult& fit);
// The same as a file. `columns`: which of a file's columns were dealt out to the party; otherwise empty.
ModelFile file_of(const NodeResult& fit, std::vector<std::int64_t> columns);

}  // namespace choir::oneshot_kpca

namespace choir {

// `shards` and `orders`: of the nodes that this process runs. Throws what the node programs throw, and
// Error(InvalidArgument) for a centre that has no link to some party.
oneshot_kpca::Fit fit_oneshot_kpca(Engine& engine, const Graph& graph, Shards shards,
                                   std::vector<SampleOrder> orders, const oneshot_kpca::Options& options,
                                   const RunOptions& run = {});
// All parties in this process, linked as the fusion needs it: a star about the centre, or a complete network.
oneshot_kpca::Fit fit_oneshot_kpca(Engine& engine, Shards shards, std::vector<SampleOrder> orders,
                                   const oneshot_kpca::Options& options, const RunOptions& run = {});

}  // namespace choir
