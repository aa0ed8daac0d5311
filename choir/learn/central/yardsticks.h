// How good a node's direction can be at all, and how good the simple answers are. All numbers are
// similarities |<w, w*>| / (||w|| ||w*||) to the central direction of the same index, between 0 and 1.
//
//   const Yardsticks y = compute_yardsticks(shards, graph, central, {.kernel = kernel});
//   y.oracle(j, d);        // ||P_j w*_d||: no direction in the span of node j's samples does better
//
// local               kernel PCA of the node's own shard
// gather_neighborhood kernel PCA of the shards of the node and its neighbours, pooled
// gather_own          that direction, projected on the span of the node's own shard
// oracle              w* itself, projected on that span
// oracle_neighborhood w* itself, projected on the span of the shards of the node and its neighbours
#pragma once

#include <optional>
#include <vector>

#include "choir/graph/graph.h"
#include "choir/learn/central/kernel_pca.h"
#include "choir/linalg/types.h"

namespace choir {

// A mean that all nodes share, as it looks from the samples (all of them, in order of the nodes).
struct CommonMean {
  Vector products;  // N: <phi(x_n), mu>
  double norm = 0;  // ||mu||^2
  Matrix scores;    // N x D: <phi(x_n) - mu, w*_d>
};

// The mean of all samples: what a network can agree on at best.
CommonMean exact_mean(const central_kpca::Fit& central);

struct YardstickOptions {
  Kernel kernel = {};
  std::optional<CommonMean> mean = {};  // nothing: every shard loses its own mean, all a node knows by itself
  double rank_cutoff = 1e-8;  // eigenvalues of a node's block below this share of the first are rounding
};

struct Yardsticks {  // J x D each
  Matrix local;
  Matrix gather_own;
  Matrix gather_neighborhood;
  Matrix oracle;
  Matrix oracle_neighborhood;
};

// `central` is the fit of all shards, concatenated in order of the nodes.
// NaN for a node whose samples are too few for so many components. Throws Error(InvalidArgument) if the sizes
// do not belong together.
Yardsticks compute_yardsticks(const std::vector<Samples>& shards, const Graph& graph,
                              const central_kpca::Fit& central, const YardstickOptions& options,
                              const RunOptions& run = {});

// ||P w*_d||, P projecting on the span of samples with centred kernel matrix K (n x n), from their inner
// products with w*: n x D. Returns D values.
Vector oracle_bound(const Matrix& kernel, const Matrix& products, double rank_cutoff);

// Similarity of sum_n c_nd phi(x_n) to w*_d, from the same quantities; coefficients are n x D.
Vector similarity_to(const Matrix& kernel, const Matrix& products, const Matrix& coefficients);

}  // namespace choir
