#include "choir/linalg/products.h"

#include <limits>

#include <gtest/gtest.h>

#include "choir/linalg/types.h"

namespace choir {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// The definition. Entries are read through coeff(), so that no product of Eigen's or ours is involved.
template <class A, class B>
MatrixOf<typename A::Scalar> by_definition(const A& a, const B& b) {
  MatrixOf<typename A::Scalar> product(a.rows(), b.cols());
  for (Index j = 0; j < b.cols(); ++j)
    for (Index i = 0; i < a.rows(); ++i) {
      double sum = 0;
      for (Index k = 0; k < a.cols(); ++k) sum += double(a(i, k)) * double(b(k, j));
      product(i, j) = static_cast<typename A::Scalar>(sum);
    }
  return product;
}

struct Sizes {
  Index m, k, n;
};

// Small ones, a single row, column or term, nothing at all, and those that go to BLAS.
class Products : public ::testing::TestWithParam<Sizes> {
 protected:
  const Sizes sizes = GetParam();
  const Matrix a = Matrix::Random(sizes.m, sizes.k);
  const Matrix b = Matrix::Random(sizes.k, sizes.n);
  const Matrix expected = by_definition(a, b);

  void expect(const Matrix& product, double factor = 1) const {
    ASSERT_EQ(product.rows(), sizes.m);
    ASSERT_EQ(product.cols(), sizes.n);
    if (product.size() > 0)
      EXPECT_LE((product - factor * expected).cwiseAbs().maxCoeff(), 1e-13 * double(sizes.k + 1));
  }
};

TEST_P(Products, AreThoseOfTheDefinition) { expect(a * b); }

TEST_P(Products, TakeTransposesWhereTheyLie) {
  const Matrix at = a.transpose();
  const Matrix bt = b.transpose();
  expect(at.transpose() * b);
  expect(a * bt.transpose());
  expect(at.transpose() * bt.transpose());
}

TEST_P(Products, TakeMatricesStoredByRows) {
  const RowMajor by_rows_a = a;
  const RowMajor by_rows_b = b;
  expect(by_rows_a * b);
  expect(a * by_rows_b);
  RowMajor result = by_rows_a * by_rows_b;
  expect(result);
  result.noalias() += a * b;
  expect(result, 2);
}

TEST_P(Products, TakeBlocksOfLargerMatrices) {
  Matrix around_a = Matrix::Constant(sizes.m + 5, sizes.k + 3, 7);
  Matrix around_b = Matrix::Constant(sizes.k + 2, sizes.n + 4, 7);
  around_a.block(2, 1, sizes.m, sizes.k) = a;
  around_b.block(1, 3, sizes.k, sizes.n) = b;
  Matrix around = Matrix::Constant(sizes.m + 2, sizes.n + 2, 7);
  around.block(1, 1, sizes.m, sizes.n) =
      around_a.block(2, 1, sizes.m, sizes.k) * around_b.block(1, 3, sizes.k, sizes.n);
  expect(around.block(1, 1, sizes.m, sizes.n));
  around.block(1, 1, sizes.m, sizes.n).setConstant(7);
  EXPECT_EQ(around, Matrix::Constant(sizes.m + 2, sizes.n + 2, 7)) << "written beside the block";
}

TEST_P(Products, AddAndSubtractWithFactors) {
  Matrix result = a * b;
  result.noalias() += 2 * a * b;
  expect(result, 3);
  result.noalias() -= a * (b * 4);
  expect(result, -1);
  result += -a * b;
  expect(result, -2);
}

TEST_P(Products, OverwriteWhatIsNoNumber) {
  Matrix result = Matrix::Constant(sizes.m, sizes.n, std::numeric_limits<double>::quiet_NaN());
  result.noalias() = a * b;
  expect(result);
}

TEST_P(Products, ComputeOperandsThatAreExpressions) {
  expect((a + a) * b, 2);
  expect(a * (b.array() * 3).matrix(), 3);
  const Matrix identity = Matrix::Identity(sizes.k, sizes.k);
  expect(a * identity * b);
}

TEST_P(Products, MayBeAssignedToTheirOwnOperand) {
  Matrix result = a;
  result = result * b;
  expect(result);
}

TEST_P(Products, HaveSinglePrecision) {
  const MatrixOf<float> product = a.cast<float>() * b.cast<float>();
  if (product.size() > 0)
    EXPECT_LE((product.cast<double>() - expected).cwiseAbs().maxCoeff(), 1e-5 * double(sizes.k + 1));
}

INSTANTIATE_TEST_SUITE_P(OfAllSizes, Products,
                         ::testing::Values(Sizes{3, 4, 5}, Sizes{1, 1, 1}, Sizes{40, 30, 20},
                                           Sizes{1, 50, 30}, Sizes{50, 30, 1}, Sizes{30, 1, 30},
                                           Sizes{1, 90, 1}, Sizes{0, 30, 20}, Sizes{40, 0, 20},
                                           Sizes{40, 30, 0}, Sizes{7, 7, 6}, Sizes{2, 200, 3}));

}  // namespace
}  // namespace choir
