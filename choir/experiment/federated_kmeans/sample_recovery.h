// An attack: samples from the sum of a(x_n) a(x_n)' over a few of them, a(x) known random features.
//
//   const CosineFeatures features = CosineFeatures::draw(8, 120, gamma, seed);
//   const Recovery found = recover_samples(features, gram, 40, {.seed = 1});
//   compare_with_truth(found.samples, truth).share;                     // 1: all of them
//
// The columns of the sum are spanned by the a(x_n). So a(x) lies in that space for each sample and, as long
// as there are fewer samples than features, for hardly any other x: Levenberg and Marquardt's method finds
// such x from random starts.
#pragma once

#include <cstdint>
#include <limits>

#include "choir/linalg/types.h"

namespace choir {

// a(x) = sqrt2 cos(w'x + b), w ~ N(0, 2 gamma I), b uniform.
struct CosineFeatures {
  Matrix frequencies;  // D x p
  Vector phases;       // D

  static CosineFeatures draw(Index dimensions, Index count, double gamma, std::uint64_t seed);
  Matrix of(const Samples& samples) const;  // D x N
};

struct RecoveryOptions {
  Index starts = 3000;       // at most; it ends when all samples are there
  double tolerance = 1e-10;  // of the squared distance between a(x) and the space, relative to |a(x)|^2
  std::uint64_t seed = 0;
};

struct Recovery {
  Samples samples;  // p x as many as were found, all different
  // That distance, the smallest of all starts; NaN if there was none.
  double smallest_residual = std::numeric_limits<double>::quiet_NaN();
};

// The number of samples decides the dimension of the space; who attacks counts eigenvalues, or knows it.
// Nothing is found if there are as many as features: then every x fits.
Recovery recover_samples(const CosineFeatures& features, const Matrix& gram, Index samples,
                         const RecoveryOptions& options);

struct RecoveredShare {
  double share = 0;        // of the true samples that are among the found, to 1e-3
  double worst_error = 0;  // of these: the largest distance; NaN if there is none
};
RecoveredShare compare_with_truth(const Samples& found, const Samples& truth);

}  // namespace choir
