#include <limits>

#include "kernel/kernels.h"
#include "kernel/support.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/kernel/gram.h"

namespace choir {
namespace {

// One tile, several with a short last one, and enough for several lanes.
constexpr Index sizes[] = {1, 50, 300, 700};

TEST(TriangularGram, IsTheRectangularMatrixMadeExactlySymmetric) {
  for (const Kernel& kernel : every_kernel()) {
    for (const Index size : sizes) {
      const Samples x = normal_samples(9, size, 20);
      const auto lower = TriangularGram<double>::compute(kernel, x);
      const Matrix dense = lower.dense();
      EXPECT_EQ(dense, dense.transpose());
      EXPECT_LE(largest_difference(dense, gram<double>(kernel, x, x)), 1e-11) << describe(kernel);
      EXPECT_EQ(lower.diagonal(), gram_diagonal<double>(kernel, x));
      EXPECT_EQ(dense.diagonal(), lower.diagonal());
    }
  }
}

TEST(TriangularGram, RbfHasOnesOnTheDiagonal) {
  const auto lower = TriangularGram<float>::compute({.gamma = 3}, normal_samples(9, 200, 21).cast<float>());
  EXPECT_EQ(lower.dense().diagonal(), VectorOf<float>::Ones(200));
}

TEST(TriangularGram, RowSumsAreThoseOfTheDenseMatrix) {
  for (const Kernel& kernel : every_kernel()) {
    for (const Index size : sizes) {
      const Samples x = normal_samples(9, size, 22);
      const auto lower = TriangularGram<double>::compute(kernel, x);
      const Vector sums = lower.dense().rowwise().sum();
      EXPECT_LE(largest_difference(lower.row_sums(), sums), 1e-10) << describe(kernel) << " " << size;
    }
  }
}

TEST(TriangularGram, RowSumsOfSinglePrecisionAreAddedInDouble) {
  const MatrixOf<float> x = normal_samples(4, 700, 23).cast<float>();
  const auto lower = TriangularGram<float>::compute({.gamma = 0.1}, x);
  const Vector sums = lower.dense().cast<double>().rowwise().sum();
  EXPECT_LE(largest_difference(lower.row_sums(), sums), 1e-11);
}

TEST(TriangularGram, ProductsAreThoseOfTheDenseMatrix) {
  for (const Index size : sizes) {
    const auto lower = TriangularGram<double>::compute({.gamma = 0.1}, normal_samples(9, size, 24));
    const Matrix dense = lower.dense();
    for (const Index columns : {1, 2, 14, 64, 70}) {
      const Matrix x = normal_samples(size, columns, 25);
      Matrix y = Matrix::Constant(size, columns, std::nan(""));  // apply() overwrites
      lower.apply(x, y);
      EXPECT_LE(largest_difference(y, dense * x), 1e-11) << size << " x " << columns;
    }
  }
}

TEST(TriangularGram, ProductsWorkOnColumnsOfLargerMatrices) {
  const auto lower = TriangularGram<double>::compute({.gamma = 0.1}, normal_samples(9, 300, 26));
  const Matrix x = normal_samples(400, 10, 27);
  Matrix y = Matrix::Zero(500, 10);
  lower.apply(x.block(50, 2, 300, 4), y.block(100, 3, 300, 4));
  EXPECT_LE(largest_difference(y.block(100, 3, 300, 4), lower.dense() * x.block(50, 2, 300, 4)), 1e-11);
  EXPECT_EQ(y.topRows(100), Matrix::Zero(100, 10));
}

TEST(TriangularGram, BitsDoNotDependOnThreads) {
  const Samples x = normal_samples(9, 1100, 28);
  const Matrix block = normal_samples(1100, 5, 29);
  for (const Kernel& kernel : every_kernel()) {
    const auto one = TriangularGram<double>::compute(kernel, x, {.threads = 1});
    Matrix first(1100, 5), other(1100, 5);
    one.apply(block, first);
    for (const int threads : {2, 5}) {
      const auto several = TriangularGram<double>::compute(kernel, x, {.threads = threads});
      EXPECT_EQ(several.dense(), one.dense());
      EXPECT_EQ(several.row_sums(), one.row_sums());
      several.apply(block, other);
      EXPECT_EQ(other, first) << describe(kernel) << " on " << threads << " threads";
    }
  }
}

TEST(TriangularGram, TakesLittleMoreThanHalfOfASquare) {
  const double square = 8000.0 * 8000.0;
  EXPECT_LT(TriangularGram<double>::bytes_needed(8000), 0.55 * square * sizeof(double));
  EXPECT_GT(TriangularGram<double>::bytes_needed(8000), 0.5 * square * sizeof(double));
  EXPECT_EQ(TriangularGram<float>::bytes_needed(8000), TriangularGram<double>::bytes_needed(8000) / 2);
}

TEST(TriangularGram, ValuesThatAreNotFiniteAreFound) {
  Samples x = normal_samples(4, 200, 30);
  x(2, 150) = std::nan("");
  for (const Kernel& kernel : every_kernel()) {
    if (kernel.normalized) continue;
    EXPECT_THAT(message_of([&] { TriangularGram<double>::compute(kernel, x); }),
                HasSubstr("not a finite number"))
        << describe(kernel);
  }
  x(2, 150) = 1e200;
  EXPECT_THAT(message_of([&] { TriangularGram<double>::compute({.kind = KernelKind::poly}, x); }),
              HasSubstr("row 0"));
}

}  // namespace
}  // namespace choir
