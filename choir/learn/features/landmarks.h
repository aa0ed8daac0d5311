// Landmarks that all nodes share: points of the whole network, none of them a node's own.
//
//   const LandmarkOptions wanted{.count = 400, .min_count = 10};
//   const SharedLandmarks shared = co_await agreed_landmarks(node, shard, kernel, wanted);
//   const Matrix f = shared.features(kernel, shard.matrix());   // R'k_Z(x): m x N
//
// Seeds are drawn from a normal distribution with the network's mean and leading directions
// (network_gaussian.h). One step of Lloyd's algorithm then moves each seed to the mean of the samples nearest
// to it, of all nodes together; a seed with fewer than min_count of them stays where it is. All sums are
// masked (runtime/blocks/secure_sum), so no node sees what another one adds. Seeds, and so landmarks, follow
// from the data alone: runs that differ in --random-state have the same, and their clusters do not subtract.
//
// The root of the tree decomposes K_ZZ = U S U' and tells everybody R = U S^-1/2 with Z: eigenvectors that
// every node computed for itself could differ in sign from machine to machine, and sums over nodes of
// R'k_Z(x) would mean nothing.
#pragma once

#include <optional>
#include <vector>

#include "choir/kernel/kernel.h"
#include "choir/linalg/types.h"
#include "choir/runtime/array.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir {

struct SecureSums;  // runtime/blocks/secure_sum

struct LandmarkOptions {
  Index count = 400;
  // Samples behind a landmark that is a mean; 1: it may be a sample, and counts as one in the ledger.
  Index min_count = 10;
  // The features will be summed: only as many directions as no sample can be solved from, the leading ones
  // (summed_features.h).
  bool summed = false;
  // Public points, the same at all nodes, in place of all that is found out above: M x L.
  std::optional<Array> points = {};
};

struct SharedLandmarks {
  Array points;     // Z: M x L
  Array whitening;  // R: L x m

  Matrix features(const Kernel& kernel, const MatrixView<double>& samples) const;  // m x N
};

// Throws Error(InvalidArgument) for public points that differ from node to node, or from the samples in
// features, and where so few samples allow no sums at all.
Task<SharedLandmarks> agreed_landmarks(Node& node, SecureSums& sums, Array shard, Kernel kernel,
                                       LandmarkOptions options);
// The same with masks of its own.
Task<SharedLandmarks> agreed_landmarks(Node& node, Array shard, Kernel kernel, LandmarkOptions options);

// Throws Error(InvalidArgument) for public points that differ from node to node, or that have not `inputs`
// features. Control messages only.
Task<void> require_same_points(Node& node, Array points, Index inputs);

// The steps as functions of their own, without a network.

// What a node's samples say about the seeds nearest to them.
struct SeedSums {
  Vector counts;     // L
  Matrix movements;  // M x L: sums of x - z
};
SeedSums seed_sums(const MatrixView<double>& samples, const Matrix& seeds);
// Which seeds may move: those with at least min_count samples. If what is left would then be fewer than
// min_count, but some, the smallest of these stays, too: the total less the others would show them.
std::vector<Index> seeds_to_move(const Vector& counts, Index min_count);
// R' = R V of the directions V in which the landmarks spread most, where each of them stands for `weights`
// samples: L x most.
Matrix leading_whitening(const Kernel& kernel, const Matrix& points, const Vector& weights, Index most);

}  // namespace choir
