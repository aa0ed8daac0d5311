// Kernel PCA of parties that hold different features of the same samples, with one message per party.
//
//   const OneshotKpcaFit fit = fit_oneshot_kpca(*engine, star, shards, orders, options);
//   fit.at(0).answer->scores;         // at the centre; with fusion tree or gossip at every party
//
// `shards`: M_j x T. Before any factor is sent, the parties compare a keyed hash of the order of their
// samples (learn/alignment). A party whose order differs ends the run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "choir/graph/graph.h"
#include "choir/kernel/centring.h"
#include "choir/learn/alignment/alignment.h"
#include "choir/learn/oneshot_kpca/options.h"
#include "choir/model/kernel_part.h"
#include "choir/runtime/contract.h"
#include "choir/runtime/engine.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir {

struct OneshotAnswer {
  Matrix vectors;      // T x D
  Vector eigenvalues;  // D, of the centred kernel matrix
  Matrix scores;       // T x D, of the training samples
  double trace = 0;
  Centring centring;  // of the fused kernel matrix; empty if the parties centred (linear, product)
  Vector lengths;     // T: squared lengths of the samples over all features; empty if nobody told
  bool converged = true;
  double residual = 0;
  std::optional<double> bound = {};  // Theorem 1, of ||sin Theta||_F; estimator product at a centre
  double seconds = 0;                // of the fusion
};

struct OneshotKpca {
  NodeId node = 0;
  Kernel kernel = {};  // with the agreed gamma
  Preprocessing preprocessing = {};
  Samples features = {};                     // M_j x T, preprocessed: for new samples
  std::vector<Index> left_out = {};          // its samples that not all parties have; with match_keys
  std::optional<OneshotAnswer> answer = {};  // at the centre, or everywhere
  Index vectors_sent = 0;                    // D_j; of the centre too, which has no need to send its own
  bool centred_by_parties = false;           // linear kernel, estimator product: each its own features
  bool raw_equivalent = false;               // as many numbers were sent as the raw features have
  double local_seconds = 0;                  // of the party's own factor
  std::vector<std::string> notes = {};
};

Task<OneshotKpca> oneshot_kpca(Node& node, Samples shard, SampleOrder order, OneshotKpcaOptions options);

// `features(j)`: M_j of the nodes of this process.
struct OneshotShape {
  const Graph& graph;
  Index samples = 0;
  std::function<Index(NodeId)> features;
};
Contract oneshot_kpca_contract(const OneshotShape& shape, const OneshotKpcaOptions& options);

struct OneshotKpcaFit {
  std::vector<std::optional<OneshotKpca>> nodes;  // J; nothing: in another process
  RunReport report;

  const OneshotKpca& at(NodeId node) const&;  // throws Error(InvalidArgument) if there is nothing
  const OneshotKpca& at(NodeId node) && = delete;
};

// `shards` and `orders`: of the nodes that this process runs. Throws what the node programs throw, and
// Error(InvalidArgument) for a centre that has no link to some party.
OneshotKpcaFit fit_oneshot_kpca(Engine& engine, const Graph& graph, std::vector<Samples> shards,
                                std::vector<SampleOrder> orders, const OneshotKpcaOptions& options,
                                const RunOptions& run = {});

// The party's part of the model (model/kernel_part.h).
KernelPart part_of(const OneshotKpca& fit);

}  // namespace choir
