// Directions among random Fourier features: the one kernel model that carries no sample.
//
//  psi(x) = RandomFeatures::draw(kernel, M, random_features).transform(x)         m features
//  t(x) = U'(psi(x) - mean),  score = ||psi(x) - mean||^2 - ||t||^2
//  inverse(t) = sample_mean + sample_slopes t: samples regressed on their scores, linearly; refused where the
//  slopes are zero (differential privacy)
//
//   Matrix scores = model.transform(samples);          // N x D
//
// The frequencies, M x m/2, are not stored: every call draws them from the seed again. How they are drawn is
// therefore part of the file format.
#pragma once

#include "choir/kernel/kernel.h"
#include "choir/kernel/random_features.h"
#include "choir/linalg/types.h"
#include "choir/model/preprocessing.h"

namespace choir {

struct FeatureModel {
  Kernel kernel = {};
  RandomFeaturesOptions random_features = {};  // m, the seed, orthogonal or not
  Preprocessing preprocessing = {};
  Vector mean = {};           // m: of the features of all training samples
  Matrix directions = {};     // m x D, orthonormal columns
  Vector sample_mean = {};    // M: of the training samples, after preprocessing
  Matrix sample_slopes = {};  // M x D
  Vector eigenvalues = {};    // D, of the centred scatter sum (psi - mean)(psi - mean)'
  double trace = 0;           // of that scatter
  Index training_samples = 0;

  Index features() const { return sample_mean.size(); }
  Index components() const { return directions.cols(); }
  Vector explained_variance_ratio() const;
  Vector explained_variance() const;

  Matrix transform(const SamplesView& samples, int threads = 1) const;  // N x D
  Vector score(const SamplesView& samples, int threads = 1) const;      // N
  Samples inverse(const Matrix& scores, int threads = 1) const;         // M x N
};

}  // namespace choir
