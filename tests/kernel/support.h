// What the tests of this room share: seeded samples and a kernel function written as the formula says.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>

#include "kernel/kernels.h"
#include "message_of.h"
#include <gmock/gmock.h>

#include "choir/base/error.h"
#include "choir/base/rng.h"
#include "choir/kernel/kernel.h"
#include "choir/linalg/types.h"

namespace choir::test {

inline Samples normal_samples(Index features, Index count, std::uint64_t seed) {
  Rng rng(seed, Purpose("test samples"));
  return Samples::NullaryExpr(features, count, [&] { return rng.normal(); });
}

// 60 points of the plane in three groups of 20; the golden values of scikit-learn are of these.
inline Samples three_groups() {
  return Samples::NullaryExpr(2, 60, [](Index row, Index i) {
    constexpr double centres[3][2] = {{0, 0}, {5, 1}, {2, 6}};
    const auto angle = static_cast<double>(i);
    return centres[i % 3][row] + 0.8 * (row == 0 ? std::sin(angle * 1.7) : std::cos(angle * 2.3));
  });
}

inline double plain_kernel(const Kernel& kernel, const Vector& x, const Vector& y) {
  const auto formula = [&](const Vector& a, const Vector& b) {
    const double product = a.dot(b);
    switch (kernel.kind) {
      case KernelKind::rbf:
        return std::exp(-kernel.gamma * (a - b).squaredNorm());
      case KernelKind::linear:
        return product;
      case KernelKind::poly:
        return std::pow(kernel.gamma * product + kernel.coef0, kernel.degree);
      case KernelKind::laplacian:
        return std::exp(-kernel.gamma * (a - b).lpNorm<1>());
      case KernelKind::sigmoid:
        return std::tanh(kernel.gamma * product + kernel.coef0);
      case KernelKind::cosine:
        return product == 0 ? 0 : product / (a.norm() * b.norm());
    }
    return std::nan("");
  };
  if (!kernel.normalized) return formula(x, y);
  return formula(x, y) / std::sqrt(formula(x, x) * formula(y, y));
}

// The kernel matrix, entry by entry.
inline Matrix plain_gram(const Kernel& kernel, const Samples& x, const Samples& y) {
  return Matrix::NullaryExpr(x.cols(), y.cols(),
                             [&](Index i, Index j) { return plain_kernel(kernel, x.col(i), y.col(j)); });
}

inline double largest_difference(const Matrix& a, const Matrix& b) {
  return a.size() == 0 ? 0 : (a - b).cwiseAbs().maxCoeff();
}

}  // namespace choir::test

// The names that nearly every test here uses.
namespace choir {

using test::every_kernel;
using test::largest_difference;
using test::message_of;
using test::normal_samples;
using test::plain_gram;
using test::three_groups;
using ::testing::HasSubstr;

}  // namespace choir
