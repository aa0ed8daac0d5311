// Random Fourier features: z(x) with z(x)'z(y) close to k(x, y), from a seed alone, so that nodes that share
// the seed share the features and exchange nothing.
//
//   const auto features = RandomFeatures::draw(kernel, M, {.count = 2000, .seed = 7});
//   Matrix z = features.transform(samples);         // count x N;  z'z ~ K
//
// z(x) = sqrt(2/m) (cos(w'x), sin(w'x)) for m/2 frequencies w: both of each, because together they err half
// as much as twice as many cosines with random phases. For rbf the frequencies w come in blocks of M
// orthogonal directions with chi-distributed lengths (Yu et al. 2016): each is N(0, 2 gamma I), together they
// err less than independent ones. For laplacian they are independent Cauchy. Other kernels have no such
// features.
#pragma once

#include <cstdint>

#include "choir/kernel/kernel.h"
#include "choir/linalg/types.h"

namespace choir {

struct RandomFeaturesOptions {
  Index count = 1000;  // m
  std::uint64_t seed = 0;
  bool orthogonal = true;  // rbf only

  friend bool operator==(const RandomFeaturesOptions&, const RandomFeaturesOptions&) = default;
};

class RandomFeatures {
 public:
  // Throws Error(InvalidArgument) for other kernels, no features or no count.
  static RandomFeatures draw(const Kernel& kernel, Index features, const RandomFeaturesOptions& options);

  // m x N. Throws Error(InvalidArgument) if the number of features differs.
  Matrix transform(const MatrixView<double>& samples, int threads = 1) const;

  const Matrix& frequencies() const { return frequencies_; }  // M x ceil(m/2)
  // m: feature i is a cosine of frequency i (mod ceil(m/2)) with this phase; -pi/2 makes it a sine.
  const Vector& phases() const { return phases_; }

 private:
  Matrix frequencies_;
  Vector phases_;
};

}  // namespace choir
