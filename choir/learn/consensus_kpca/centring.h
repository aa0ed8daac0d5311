// The mean in feature space that samples are seen from, and kernel matrices seen from there.
//
//   const LandmarkMean found = co_await agreed_landmark_mean(node, landmarks.features(kernel, shard));
//   const MeanElement mean = mean_element(landmarks, found.mean);
//   const Vector a = mean_products(kernel, mean, shard);                 // <phi(x), mu>
//   k_c(x, y) = k(x, y) - a(x) - a(y) + ||mu||^2
#pragma once

#include <vector>

#include "choir/learn/consensus_kpca/consensus_kpca.h"
#include "choir/learn/consensus_kpca/landmarks.h"
#include "choir/learn/consensus_kpca/neighborhood_kernel.h"
#include "choir/learn/consensus_kpca/surroundings.h"

namespace choir {

// What features say about all samples, and about one node's.
struct FeatureMean {
  Vector mean;             // m; the same bits at all nodes
  double own_between = 0;  // N_j ||m_j - m||^2
  double own_total = 0;    // sum over the node's samples of ||f(x) - m||^2
};

// `features`: m x N_j.
Task<FeatureMean> agreed_feature_mean(Node& node, const Matrix& features);
FeatureMean seen_from(Vector mean, const Matrix& features);

// The mean of phi over all samples, projected on the landmarks, as weights on them.
MeanElement mean_element(const SharedLandmarks& landmarks, const Vector& mean);

// a(x) = <phi(x), mu>: N.
Vector mean_products(const Kernel& kernel, const MeanElement& mean, const MatrixView<double>& samples);

// Sends one's own and gets the neighbours': by member, the node itself first. For the samples as they were
// shown to the neighbours.
Task<std::vector<Vector>> exchange_mean_products(Node& node, Vector own, Vector shown);

// The sum over pairs of different samples of k(x, y) / sqrt(k(x, x) k(y, y)), and the number of pairs.
struct Resemblance {
  double sum = 0;
  double pairs = 0;
};
Resemblance resemblance_of(const Matrix& kernel);

// G_j, its block K_j, and what can be seen before centring.
struct CentredKernels {
  NeighborhoodKernel neighborhood;
  Matrix own;
  Resemblance resemblance;
  double mean_distance = 0;  // mean over neighbours of ||m_j - m_l||^2 / 2, m_l the mean of phi over shard l
};

// `products`: a(x) by member; without any, blocks are centred by their own means (Centering::local) or not at
// all.
CentredKernels centred_kernels(const Neighborhood& around, const Kernel& kernel, Centering centering,
                               const std::vector<Vector>& products, double mean_norm, Precision precision);

}  // namespace choir
