// A normal distribution with the mean and the leading directions of all samples of the network: where
// synthetic points come from that lie among the samples and are nobody's.
//
//   const NetworkGaussian found = co_await agreed_gaussian(node, sums, shard);
//   if (found.at_root) drawn_seeds(found.mean, found.at_root->factor, count, found.at_root->random);
//
// All sums are masked. What is drawn depends on the data alone, not on the run's seed: means of clusters
// around points that differ from run to run would subtract until single samples are left.
//
// A row of the covariance is a sum of samples, weighted by one feature. Where a single sample has what the
// feature counts, a rare category or an outlier, the row is that sample. So features whose spread few samples
// make have none here.
#pragma once

#include <optional>
#include <vector>

#include "choir/base/rng.h"
#include "choir/linalg/types.h"
#include "choir/runtime/array.h"
#include "choir/runtime/blocks/secure_sum/secure_sum.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir {

struct NetworkGaussian {
  struct Spread {
    Matrix factor;  // F, M x r, with F F' ~ covariance
    Rng random;     // to draw with
  };
  Index samples = 0;  // N
  Vector mean;        // M
  std::optional<Spread> at_root = {};
};

Task<NetworkGaussian> agreed_gaussian(Node& node, SecureSums& sums, Array shard);

// The steps as functions of their own, without a network.

inline constexpr Index most_probes = 60;

// Directions that the spread is seen in: M x q. All M of them if no more than `most`, otherwise so many at
// random, the same at all nodes.
Matrix probe_directions(Index features, Index most = most_probes);
// How many of them `samples` samples in all may be summed along.
Index probes_for(Index samples);
// For every feature the sum over these samples of (d^2 / s)^2, where s is the sum of d^2 over all samples of
// the network. Its total is 1 / n where n samples make the feature's spread in equal parts. centred: M x N_j.
Vector squared_shares(const MatrixView<double>& centred, const Vector& squares);
// Features whose spread fewer than 10 samples make, or than a sixth of them, if that is less. `shares`: the
// totals of squared_shares(); samples: N.
std::vector<Index> lone_features(const Vector& shares, Index samples);
// F (M x r) with F F' ~ C, from C Omega and Omega: C Omega (Omega'C Omega)^+ Omega'C, exact if Omega spans
// everything.
Matrix spread_factor(const Matrix& products, const Matrix& probes);
// mean + F g, g normal: M x count.
Matrix drawn_seeds(const Vector& mean, const Matrix& factor, Index count, Rng random);
// Of moments as they are up to a millionth of their spread: how nodes round their sums makes no difference.
Rng random_of_moments(const Vector& mean, const Matrix& products);

}  // namespace choir
