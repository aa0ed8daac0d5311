// Principal directions in the space of the samples themselves.
//
//  t(x) = U'(x - mean),  inverse(t) = mean + U t,  score = ||x - mean||^2 - ||t||^2
//
//   Matrix scores = model.transform(samples);          // N x D
//   Samples again = model.inverse(scores);             // M x N
#pragma once

#include "choir/linalg/types.h"
#include "choir/model/preprocessing.h"

namespace choir {

struct LinearModel {
  Preprocessing preprocessing = {};
  Vector mean = {};         // M, after preprocessing
  Matrix components = {};   // M x D, orthonormal columns
  Vector eigenvalues = {};  // D, of the centred scatter sum (x - mean)(x - mean)'
  double trace = 0;         // of that scatter
  Index training_samples = 0;

  Index features() const { return components.rows(); }
  Vector explained_variance_ratio() const;
  Vector explained_variance() const;

  Matrix transform(const SamplesView& samples, int threads = 1) const;  // N x D
  Vector score(const SamplesView& samples, int threads = 1) const;      // N
  Samples inverse(const Matrix& scores, int threads = 1) const;         // M x N
};

}  // namespace choir
