// The mean of all nodes' values by averaging with neighbours: no root, every link used.
//
//   AverageOptions options;
//   options.tol = 1e-9;
//   const Average mean = co_await average(node, mine, options);
//   if (!mean.converged) ...                          // mean.spread says how far apart the nodes are
//
// Metropolis weights W (they need the neighbours' degrees, exchanged once) and two-step acceleration:
//  x_{t+1} = (1 + omega) W x_t - omega x_{t-1},   omega = (l / (1 + sqrt(1 - l^2)))^2,   l = |lambda_2(W)|
// which needs about 1/sqrt(1 - l) rounds where plain averaging needs 1/(1 - l). l is given, or estimated by
// the nodes, or bounded safely by the number of nodes. An l that is too small slows the iteration down and
// never breaks it. All nodes stop at the same round: every so many rounds the spread (max - min over nodes)
// is agreed on along the tree, exactly.
//
// Where lost neighbours do not end the run (LostPeers::proceed) no tree can be relied on. A node is then
// content while it differs from no neighbour by more than tol / J, and StopAgreement does the rest. The
// weight of a lost link returns to its ends, so the sum over the other nodes is kept, but for rounds in which
// the two sides lost each other at different times. (The estimate of l still needs the tree: where nodes may
// be lost this early, give l or take the safe bound.)
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
  double spread = 0;  // of the entry with the largest, relative to the largest entry; LostPeers::proceed:
                      // the largest difference from a neighbour
  Index rounds = 0;   // of averaging, without those that estimate and agree
  double mixing = 0;  // the l that was used
  bool converged = false;
};

Task<Average> average(Node& node, Matrix mine, AverageOptions options);

// |lambda_2(W)| as the nodes see it after some rounds; the same at all nodes, and never more than the truth
// but for rounding. The largest Ritz value of as many Lanczos steps, found with a single sum over the tree:
// see krylov_estimate.
Task<double> estimate_mixing(Node& node, Index rounds);

// An upper bound for any connected network of J nodes: 1 - 1 / (71 J^2). Olshevsky 2014 proves 1 / (71 J^2)
// for the gap of lazy weights 1 / (2 max(d_i, d_j)); those of W are at least as large.
double safe_mixing_bound(Index nodes);

// The pure steps.
double acceleration(double mixing);                              // omega
double metropolis_weight(Index own_degree, Index other_degree);  // 1 / (1 + max)
double asymptotic_rate(double mixing, bool accelerated);         // by which errors shrink in a round

}  // namespace choir
