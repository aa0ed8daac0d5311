// First and second moments of features over all samples of the network, as they are opened once under
// differential privacy: what mean, covariance and components are made of.
//
//   const Release release = plan.release("sums of features", moments_sensitivity, 1.0);
//   const std::optional<NoisyMoments> moments =
//       co_await noisy_moments_at_root(node, sums, psi, samples, release, plan);
//
// One sum has all of it, (sum psi psi', sum psi). Features longer than 1 are shortened to 1 first, whatever
// the kernel promises. How many samples there are is public.
#pragma once

#include <optional>

#include "choir/learn/privacy/noisy_sum.h"
#include "choir/linalg/types.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir {

struct NoisyMoments {
  Index samples = 0;     // N
  Vector sum = {};       // m: of psi
  Matrix products = {};  // m x m: of psi psi'
  double sigma = 0;  // noise in entries of the sum and of the diagonal; beside the diagonal sigma / sqrt(2)
};

// Of both sums together, in the coordinates of moments_column(), if a sample with features psi becomes one
// with phi. With lengths up to 1 and t = psi'phi, the square of it is
//   |psi psi' - phi phi'|^2 + |psi - phi|^2  <=  (2 - 2 t^2) + (2 - 2 t)  <=  4.5,
// as much for t = -1/2.
inline constexpr double moments_sensitivity = 2.1213203435596424;  // sqrt(4.5)

Task<std::optional<NoisyMoments>> noisy_moments_at_root(Node& node, SecureSums& sums, Matrix psi,
                                                        Index samples, Release release,
                                                        const PrivacyPlan& plan);

// The parts as functions of their own, without a network.

// Columns that are longer become as long as 1, less a little for what sums of them round.
Matrix within_unit_length(Matrix psi);
// The lower triangle of psi psi', entries beside the diagonal times sqrt(2), so that lengths are those of the
// whole matrix; then the sum of psi: m (m + 3) / 2 numbers.
Matrix moments_column(const Matrix& psi);
NoisyMoments moments_from(const Matrix& column, Index samples, double sigma);

}  // namespace choir
