#include "choir/learn/federated_kmeans/cela.h"

#include "learn/federated_kmeans/toy.h"
#include <gtest/gtest.h>

#include "choir/kernel/random_features.h"

namespace choir::federated_kmeans {
namespace {

// A Gram matrix as FEA has them: n features of N samples, eigenvalues that fall fast.
Matrix gram_of_features(Index features, std::uint64_t seed) {
  const testing::Clusters data = testing::clusters(400, 8, 6, seed);
  const auto drawn = RandomFeatures::draw({.gamma = 0.1}, 6, {.count = features, .seed = seed});
  const Matrix z = drawn.transform(data.samples);
  return z * z.transpose();
}

EigenPairs run(Cela& lanczos, const Matrix& matrix) {
  while (!lanczos.finished()) lanczos.absorb(matrix * lanczos.vector());
  return lanczos.result();
}

TEST(Cela, ConvergedIsTheDenseEigensolver) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Matrix matrix = gram_of_features(120, seed);
    const EigenPairs dense = eigen_symmetric<double>(matrix);
    Cela lanczos(120, {.wanted = 20}, seed);
    const EigenPairs found = run(lanczos, matrix);
    EXPECT_TRUE(found.converged);
    EXPECT_LT((found.values - dense.values.head(20)).cwiseAbs().maxCoeff(), 1e-9 * dense.values(0));
    const auto subspace = [](const Matrix& v, const Vector& s) -> Matrix {
      return v.leftCols(20) * s.head(20).asDiagonal() * v.leftCols(20).transpose();
    };
    const Matrix truth = subspace(dense.vectors, dense.values);
    EXPECT_LE((subspace(found.vectors, found.values) - truth).norm(), 1e-6 * truth.norm());
  }
}

TEST(Cela, KeepsItsVectorsOrthogonalWithoutGhosts) {
  const Matrix matrix = gram_of_features(100, 4);
  Cela lanczos(100, {.wanted = 100}, 1);
  const EigenPairs all = run(lanczos, matrix);
  const Matrix overlap = all.vectors.transpose() * all.vectors;
  EXPECT_LT((overlap - Matrix::Identity(overlap.rows(), overlap.cols())).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_GT(all.values(0) - all.values(1), 1e-3 * all.values(0)) << "a copy of the largest";
}

TEST(Cela, CappedStopsAndIsGoodWhereItMatters) {
  const Matrix matrix = gram_of_features(120, 5);
  const EigenPairs dense = eigen_symmetric<double>(matrix);
  Cela lanczos(120, {.wanted = 20, .most = capped_products(120, 20)}, 2);
  const EigenPairs found = run(lanczos, matrix);
  EXPECT_EQ(found.products, 25);
  EXPECT_EQ(found.values.size(), 20);
  const Matrix captured = found.vectors.transpose() * matrix * found.vectors;
  EXPECT_GT(captured.trace(), 0.9 * dense.values.head(20).sum());
  EXPECT_LT((found.values.head(5) - dense.values.head(5)).cwiseAbs().maxCoeff(), 1e-3 * dense.values(0));
}

TEST(Cela, EndsWhereNothingIsLeft) {
  const Matrix factor = testing::clusters(30, 3, 4, 1).samples.transpose();
  const Matrix matrix = factor * factor.transpose();  // 30 x 30 of rank 4
  Cela lanczos(30, {.wanted = 10}, 3);
  const EigenPairs found = run(lanczos, matrix);
  EXPECT_LE(found.products, 6);
  const EigenPairs dense = eigen_symmetric<double>(matrix);
  EXPECT_LT((found.values.head(4) - dense.values.head(4)).norm(), 1e-10 * dense.values(0));
}

TEST(Cela, CountsWhatEachRouteSends) {
  EXPECT_EQ(numbers_sent(EigenRoute::gram, 100, 20), 5050 + 12);
  EXPECT_EQ(numbers_sent(EigenRoute::capped_cela, 100, 20), 25 * 212);
  EXPECT_EQ(numbers_sent(EigenRoute::cela, 100, 20, 40), 40 * 212);
  EXPECT_EQ(numbers_sent(EigenRoute::cela, 100, 20), 100 * 212);
  EXPECT_EQ(chosen_route(EigenRoute::cheapest, 100, 20), EigenRoute::gram);
  EXPECT_EQ(chosen_route(EigenRoute::cheapest, 420, 20), EigenRoute::capped_cela);
  EXPECT_EQ(chosen_route(EigenRoute::cela, 420, 20), EigenRoute::cela);
}

}  // namespace
}  // namespace choir::federated_kmeans
