#include "choir/learn/online_kernel/kernel_inverse.h"

#include "linalg/matrices.h"
#include <Eigen/LU>
#include <gtest/gtest.h>

#include "choir/learn/online_kernel/expansion.h"
#include "choir/learn/online_kernel/komp.h"

namespace choir::online_kernel {
namespace {

Matrix gram_of(Index size, std::uint64_t seed) {
  return own_gram({.gamma = 2}, testing::random_matrix(3, size, seed));
}

Matrix truth_of(const Matrix& gram, double jitter) {
  return (gram + jitter * Matrix::Identity(gram.rows(), gram.cols())).inverse();
}

void expect_inverse(const KernelInverse& inverse, const Matrix& gram) {
  const Matrix truth = truth_of(gram, inverse.jitter);
  ASSERT_EQ(inverse.size(), gram.rows());
  EXPECT_LT((inverse.values - truth).norm(), 1e-7 * truth.norm());
  EXPECT_LT(drift(inverse, gram), 1e-6);
}

TEST(KernelInverse, CoversRowsThatWereAppended) {
  const Matrix gram = gram_of(12, 1);
  KernelInverse inverse;
  cover(inverse, gram.topLeftCorner(5, 5));
  expect_inverse(inverse, gram.topLeftCorner(5, 5));
  cover(inverse, gram.topLeftCorner(8, 8));
  cover(inverse, gram);
  expect_inverse(inverse, gram);
  cover(inverse, Matrix(0, 0));
  EXPECT_EQ(inverse.size(), 0);
}

// The last two samples are the same: nothing but the jitter tells them apart.
TEST(KernelInverse, CoversAMatrixThatIsNearlySingular) {
  Samples samples = testing::random_matrix(3, 9, 1);
  samples.col(8) = samples.col(7);
  const Matrix gram = own_gram({.gamma = 2}, samples);
  KernelInverse inverse = inverse_of(gram.topLeftCorner(8, 8));
  cover(inverse, gram);
  EXPECT_LT(drift(inverse, gram), 1e-6);
}

TEST(KernelInverse, IsComputedAnewWhenItHasDrifted) {
  const Matrix gram = gram_of(10, 1);
  KernelInverse inverse = inverse_of(gram);
  inverse.values(3, 9) += 1e-3;
  EXPECT_GT(drift(inverse, gram), 1e-4);
  cover(inverse, gram);
  expect_inverse(inverse, gram);
}

// 300 rounds of appending and removing.
TEST(KernelInverse, StaysTheInverseOverManyRounds) {
  const Kernel kernel{.gamma = 0.5};
  Expansion f = empty_expansion(3, 2);
  for (std::uint64_t round = 0; round < 300; ++round) {
    add(kernel, f, testing::random_matrix(3, 8, 10 + round), testing::random_matrix(8, 2, 1000 + round), {});
    compress(f, {.most = 40});
  }
  ASSERT_EQ(f.size(), 40);
  cover(f.inverse, f.gram);
  EXPECT_LT((f.gram * f.inverse.values + f.inverse.jitter * f.inverse.values - Matrix::Identity(40, 40))
                .cwiseAbs()
                .maxCoeff(),
            1e-4);
}

}  // namespace
}  // namespace choir::online_kernel
