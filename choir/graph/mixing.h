// Weights with which neighbours average: w_ij = 1 / (1 + max(d_i, d_j)), and the rest stays at home.
//
//   const MetropolisWeights weights = metropolis_weights(graph);
//   x_new[j] = weights.self[j] * x[j] + sum over i of weights.links(graph, j)[i] * x[neighbors[i]];
//
// A node needs only its own and its neighbours' degrees to know them. The matrix W is symmetric and
// doubly stochastic, so repeated averaging keeps the mean and, on a connected graph, reaches it.
#pragma once

#include <span>
#include <vector>

#include "choir/graph/graph.h"

namespace choir {

struct MetropolisWeights {
  std::vector<double> self;  // J
  std::vector<double> link;  // beside the graph's neighbour lists, see Graph::offset

  // In the order of graph.neighbors(node).
  std::span<const double> links(const Graph& graph, NodeId node) const;
};

MetropolisWeights metropolis_weights(const Graph& graph);

}  // namespace choir
