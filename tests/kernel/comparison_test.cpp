#include "choir/kernel/comparison.h"

#include "kernel/kernels.h"
#include "kernel/support.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/error.h"

namespace choir {
namespace {

TEST(Comparison, OneNumberAPairAndTheLengthsGiveTheKernel) {
  const Samples x = test::normal_samples(5, 7, 1), y = test::normal_samples(5, 4, 2);
  const Vector x_lengths = x.colwise().squaredNorm(), y_lengths = y.colwise().squaredNorm();
  for (const Kernel& kernel : test::every_kernel()) {
    if (kernel.kind == KernelKind::laplacian) continue;
    Matrix values = x.transpose() * y;
    if (compares_distances(kernel.kind)) {
      values =
          Matrix::NullaryExpr(7, 4, [&](Index i, Index j) { return (x.col(i) - y.col(j)).squaredNorm(); });
    }
    apply_function(kernel, values.size(), values.data());
    if (scales_by_lengths(kernel)) {
      values = Matrix(length_factors(kernel, x_lengths).asDiagonal() * values *
                      length_factors(kernel, y_lengths).asDiagonal());
    }
    for (Index i = 0; i < x.cols(); ++i) {
      EXPECT_NEAR(self_similarities(kernel, x_lengths)(i), test::plain_kernel(kernel, x.col(i), x.col(i)),
                  1e-13);
      for (Index j = 0; j < y.cols(); ++j) {
        EXPECT_NEAR(values(i, j), test::plain_kernel(kernel, x.col(i), y.col(j)), 1e-13) << describe(kernel);
      }
    }
  }
}

TEST(Comparison, OnlyRbfComparesByDistancesAndOnlySomeScale) {
  for (const Kernel& kernel : test::every_kernel()) {
    EXPECT_EQ(compares_distances(kernel.kind), kernel.kind == KernelKind::rbf);
    EXPECT_EQ(scales_by_lengths(kernel), kernel.normalized || kernel.kind == KernelKind::cosine);
  }
  EXPECT_FALSE(scales_by_lengths({.kind = KernelKind::rbf, .normalized = true}));
}

TEST(Comparison, SamplesWithoutALengthAreNamedOrLeftAtZero) {
  const Vector lengths{{1, 0}};
  EXPECT_EQ(length_factors({.kind = KernelKind::cosine}, lengths), lengths);
  try {
    length_factors({.kind = KernelKind::linear, .normalized = true}, lengths);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.category(), ErrorCategory::BadData);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("sample 1 has k(x,x) = 0"));
  }
}

TEST(Comparison, LaplacianIsNoFunctionOfThem) {
  double value = 1;
  EXPECT_THROW(apply_function({.kind = KernelKind::laplacian}, 1, &value), Error);
}

}  // namespace
}  // namespace choir
