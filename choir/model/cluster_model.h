// Clusters in a kernel's feature space: a short embedding b(x) whose inner products stand for the kernel, and
// centroids among the embedded samples.
//
//  landmarks        b(x) = P' k_Z(x)                                     P: L x r
//  random features  b_t(x) = T_t' [ sqrt(eta_t) z_t(x) ; sqrt(1 - eta_t) b_{t-1}(x) ],  b_0 has no entries
//
//   model.predict(samples);      // N: the nearest centroid of each, counted from 0
//   model.distances(samples);    // N x k, squared
//   model.embed(samples);        // N x r
#pragma once

#include <cstdint>
#include <vector>

#include "choir/kernel/kernel.h"
#include "choir/kernel/random_features.h"
#include "choir/linalg/types.h"
#include "choir/model/preprocessing.h"

namespace choir {

// One step of an embedding by random features, which are drawn from their seed again whenever they are
// needed.
struct FeatureStage {
  RandomFeaturesOptions random = {};  // z_t, m features
  double eta = 1;                     // the first is 1
  Matrix map = {};                    // T_t: (m + length of b_{t-1}) x length of b_t
};

struct ClusterModel {
  Kernel kernel = {};
  Preprocessing preprocessing = {};
  Index sample_features = 0;              // M
  Samples points = {};                    // Z: M x L, after preprocessing; none: random features
  Matrix projection = {};                 // P: L x r
  std::vector<FeatureStage> stages = {};  // of random features
  Matrix centroids = {};                  // r x k
  Vector counts = {};                     // k: training samples of each cluster
  Index training_samples = 0;

  Index features() const { return sample_features; }
  Index dimension() const { return centroids.rows(); }
  Index clusters() const { return centroids.cols(); }

  // Throw Error(InvalidArgument) if the samples have another number of features.
  Matrix embed(const SamplesView& samples, int threads = 1) const;
  Matrix distances(const SamplesView& samples, int threads = 1) const;
  std::vector<std::int64_t> predict(const SamplesView& samples, int threads = 1) const;
};

// [ sqrt(eta) z ; sqrt(1 - eta) b ], a sample a column.
Matrix stage_input(double eta, const Matrix& z, const Matrix& b);

// ||b_n - c_j||^2, k x N, not below 0.
Matrix squared_distances(const MatrixView<double>& embedded, const MatrixView<double>& centroids);

// The first of equally near ones.
std::vector<std::int64_t> nearest_centroids(const MatrixView<double>& embedded,
                                            const MatrixView<double>& centroids);

}  // namespace choir
