// Nystroem features from landmarks: f(x) with f(x)'f(y) = k_Z(x)' K_ZZ^+ k_Z(y), the best that can be said
// of k(x, y) from the landmarks Z alone, and exactly k(x, y) on the landmarks themselves.
//
//   const NystroemFeatures features(kernel, landmarks);       // landmarks: M x L
//   Matrix f = features.transform(samples);                   // m x N, m = rank of K_ZZ
#pragma once

#include "choir/kernel/kernel.h"
#include "choir/linalg/types.h"

namespace choir {

struct NystroemOptions {
  double cutoff = 1e-10;  // eigenvalues of K_ZZ below this times the largest count as zero
  int threads = 1;
};

class NystroemFeatures {
 public:
  // Throws Error(InvalidArgument) if there are no landmarks, Error(Numerical) if K_ZZ has no positive
  // eigenvalue.
  NystroemFeatures(const Kernel& kernel, Samples landmarks, const NystroemOptions& options = {});

  Index rank() const { return whitening_.cols(); }  // m
  const Samples& landmarks() const { return landmarks_; }
  // R = U S^-1/2 of K_ZZ = U S U', L x m: f(x) = R' k_Z(x).
  const Matrix& whitening() const { return whitening_; }

  // m x N. Throws Error(InvalidArgument) if the number of features differs.
  Matrix transform(const MatrixView<double>& samples, int threads = 1) const;

 private:
  Kernel kernel_;
  Samples landmarks_;
  Matrix whitening_;
};

}  // namespace choir
