// The mean of all nodes' values by averaging with neighbours: no tree, no root, every link used.
//
//   AverageOptions options;
//   options.tol = 1e-9;
//   const Average mean = co_await average(node, mine, options);
//   if (!mean.converged) ...                                   // mean.spread says how far apart the nodes
//   are
//
// Metropolis weights W (they need the neighbours' degrees, exchanged once) and two-step acceleration:
//   x_{t+1} = (1 + omega) W x_t - omega x_{t-1},   omega = (l / (1 + sqrt(1 - l^2)))^2,   l = |lambda_2(W)|
// which needs about 1/sqrt(1 - l) rounds where plain averaging needs 1/(1 - l). l is given, or estimated by
// the nodes (power iteration in the same network), or bounded safely by the number of nodes. An l that is too
// small slows the iteration down and never breaks it. Every so many rounds the spread (max - min over nodes)
// is agreed by max_consensus, and all nodes stop at the same round. The sum over nodes is kept: lost
// neighbours are re-weighted.
#pragma once

#include <cstdint>
#include <optional>

#include "choir/linalg/types.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir {

enum class MixingSource : std::uint8_t { estimate, safe_bound };

struct AverageOptions {
  double tol = 1e-9;  // largest spread of any entry, relative to the largest entry
  Index max_rounds = 100000;
  std::optional<double> mixing = {};  // |lambda_2(W)| if somebody knows it
  MixingSource source = MixingSource::estimate;
  bool accelerated = true;
};

struct Average {
  Matrix mean;
  double spread = 0;  // of the entry with the largest, relative to the largest entry
  Index rounds = 0;   // of averaging, without those that estimate and agree
  double mixing = 0;  // the l that was used
  bool converged = false;
};

Task<Average> average(Node& node, Matrix mine, AverageOptions options);

// |lambda_2(W)| as the nodes see it after some rounds; the same at all nodes. Never more than the truth.
Task<double> estimate_mixing(Node& node, Index rounds);

// An upper bound for any connected network of J nodes: 1 - 1 / (71 J^2), Olshevsky 2014, for W made lazy.
double safe_mixing_bound(Index nodes);

// The pure steps.
double acceleration(double mixing);                              // omega
double metropolis_weight(Index own_degree, Index other_degree);  // 1 / (1 + max)

}  // namespace choir
