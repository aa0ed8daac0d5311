// A map from samples to features that is the same at all nodes: inner products of features stand for the
// kernel, so that whatever is linear in features is kernel learning, and no sample has to travel.
//
//   FeatureMap map{.kernel = kernel};
//   map.landmarks = co_await agreed_landmarks(node, shard, kernel, options);     // psi(x) = R'k_Z(x)
//   const Matrix psi = map.features(shard.matrix());                             // m x N
//   map.random = RandomFeaturesOptions{.count = 2000, .seed = seed};             // or: from a seed alone
#pragma once

#include <memory>
#include <optional>

#include "choir/kernel/random_features.h"
#include "choir/learn/features/feature_store.h"
#include "choir/learn/features/landmarks.h"

namespace choir {

struct FeatureMap {
  Kernel kernel = {};
  std::optional<SharedLandmarks> landmarks = {};  // one of the two
  std::optional<RandomFeaturesOptions> random = {};
  std::optional<Array> reduction =
      {};  // V, count x m: psi = V' times all random features; nothing: all of them
  std::shared_ptr<FeatureStore> store = {};  // nothing: random features are redrawn every time

  Matrix features(const MatrixView<double>& samples) const;  // m x N
  // Of what is known in these features (m x any), what it is in all random features: count x any.
  Matrix lifted(const Matrix& directions) const;
};

// Samples regressed linearly on their scores: what `inverse` of a model without samples is made of. From a
// node's own samples: sums over the network would do it for all of them, but they show too much. Where only
// one image of a node has ink, the sum is that image. Of fewer than 10 samples, or 4 for each of its D + 1
// columns, it would be nearly the samples, and whoever has the model would have them: then all is zero, and
// models refuse `inverse`.
struct SampleRegression {
  Vector mean;    // M: of a sample with scores 0
  Matrix slopes;  // M x D
};
SampleRegression regress_samples(const MatrixView<double>& samples, const Matrix& scores);  // N x D

}  // namespace choir
