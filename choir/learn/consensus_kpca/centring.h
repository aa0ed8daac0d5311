// The mean in feature space that samples are seen from, and kernel matrices seen from there.
//
//   const LandmarkMean found = co_await agreed_landmark_mean(node, landmarks.features(kernel, shard));
//   const MeanElement mean = mean_element(landmarks, found.mean);
//   const Vector a = mean_products(kernel, mean, shard);                 // <phi(x), mu>
//   k_c(x, y) = k(x, y) - a(x) - a(y) + ||mu||^2
#pragma once

#include <vector>

#include "choir/learn/consensus_kpca/consensus_kpca.h"
#include "choir/learn/consensus_kpca/neighborhood_kernel.h"
#include "choir/learn/consensus_kpca/surroundings.h"
#include "choir/learn/features/landmarks.h"

namespace choir::consensus_kpca {

// What features say about all samples, and about one node's.
struct FeatureMean {
  Vector mean;             // m; the same bits at all nodes
  double own_between = 0;  // N_j ||m_j - m||^2
  double own_total = 0;    // sum over the node's samples of ||f(x) - m||^2
};

// `features`: m x N_j.
Task<FeatureMean> agreed_feature_mean(Node& node, SecureSums& sums, const Matrix& features);
FeatureMean seen_from(Vector mean, const Matrix& features);

// The mean of phi over all samples, projected on the landmarks, as weights on them.
MeanElement mean_element(const SharedLandmarks& landmarks, const Vector& mean);

// a(x) = <phi(x), mu>: N.
Vector mean_products(const Kernel& kernel, const MeanElement& mean, const MatrixView<double>& samples);

// Samples that come with noise lie elsewhere in feature space, nearer to the origin, and so does their mean.
// Seen from the mean of clean samples they would all lie on one side, and the largest component would be that
// side. So they are seen from their own: mu of a node's own samples, mu~ of those that were shown.
struct TwoMeans {
  std::vector<Vector> own;    // by member: <phi(x), mu>
  std::vector<Vector> shown;  // by member: <phi(x), mu~>; the same numbers as `own` without noise
  double own_norm = 0;        // ||mu||^2
  double cross = 0;           // <mu, mu~>
  double shown_norm = 0;      // ||mu~||^2
};

// Features of a node's samples as they are, and as it shows them: m x N_j each.
struct ShownFeatures {
  Matrix own;
  Matrix shown;  // empty: as they are
};

// Agrees on the means and exchanges what neighbours need to know of them. `mean` of the own features is
// found. `sizes`: of the neighbourhood's shards, the own first.
Task<TwoMeans> exchange_means(Node& node, const ShownFeatures& features, const Vector& own_mean,
                              const Vector& shown_mean, std::vector<Index> sizes);

// Where a neighbourhood is the whole network: the mean of its samples, and what its samples know of it.
MeanElement mean_of_all(const Neighborhood& around, const Kernel& kernel);
TwoMeans means_seen_from(const MeanElement& mean, const Neighborhood& around, const Kernel& kernel);

// G_j, its block K_j, and what can be seen before centring.
struct CentredKernels {
  NeighborhoodKernel neighborhood;
  Matrix own;
  bool own_are_equal = false;  // centring left nothing of the own samples but rounding
  double mean_distance = 0;  // mean over neighbours of ||m_j - m_l||^2 / 2, m_l the mean of phi over shard l
};

// `means` count for Centering::landmark; with the others, blocks are centred by their own means (local) or
// not at all.
CentredKernels centred_kernels(const Neighborhood& around, const Kernel& kernel, Centering centering,
                               const TwoMeans& means, Precision precision);

}  // namespace choir::consensus_kpca
