#include "choir/learn/gossip_pca/ritz_space.h"

#include "learn/gossip_pca/toy.h"
#include <gtest/gtest.h>

#include "choir/linalg/eigen.h"
#include "choir/linalg/qr.h"

namespace choir::gossip_pca {
namespace {

Matrix dense_matrix(Index rows) {
  const Samples samples = spread_samples(rows, 3 * rows, 1);
  const Matrix centred = samples.colwise() - samples.rowwise().mean();
  return centred * centred.transpose() / static_cast<double>(samples.cols());
}

Matrix some_block(Index rows, Index columns) { return thin_qr<double>(spread_samples(rows, columns, 2)).q; }

TEST(RitzSpace, ComesToTheEigenpairsAndItsValuesNeverFall) {
  const Matrix matrix = dense_matrix(60);
  const EigenPairs truth = eigen_symmetric<double>(matrix);
  RitzSpace space;
  Matrix block = some_block(60, 6);
  Vector before = Vector::Zero(3);
  for (int step = 0; step < 8; ++step) {
    space.add(block, matrix * block);
    const Vector values = space.leading(3).values;
    EXPECT_TRUE((values.array() >= before.array() * (1 - 1e-12)).all()) << step;
    EXPECT_TRUE((values.array() <= truth.values.head(3).array() * (1 + 1e-12)).all()) << step;
    before = values;
    block = space.next_block(6);
  }
  EXPECT_LT((before - truth.values.head(3)).norm(), 1e-8 * truth.values(0));
  const RitzPairs pairs = space.leading(3);
  EXPECT_LT((pairs.vectors.transpose() * pairs.vectors - Matrix::Identity(3, 3)).norm(), 1e-12);
  const Matrix residuals = matrix * pairs.vectors - pairs.vectors * pairs.values.asDiagonal();
  EXPECT_LT((pairs.residuals - Vector(residuals.colwise().norm())).norm(), 1e-12);
}

TEST(RitzSpace, NextBlockIsOrthonormalAndOutside) {
  const Matrix matrix = dense_matrix(30);
  RitzSpace space;
  Matrix block = some_block(30, 5);
  space.add(block, matrix * block);
  const Matrix next = space.next_block(5);
  ASSERT_EQ(next.cols(), 5);
  EXPECT_LT((next.transpose() * next - Matrix::Identity(5, 5)).norm(), 1e-12);
  EXPECT_LT((block.transpose() * next).norm(), 1e-12);
}

TEST(RitzSpace, EndsWhereItIsInvariantOrWhole) {
  const Matrix matrix = dense_matrix(12);
  const EigenPairs truth = eigen_symmetric<double>(matrix);
  RitzSpace invariant;
  invariant.add(truth.vectors.leftCols(4), matrix * truth.vectors.leftCols(4));
  EXPECT_EQ(invariant.next_block(4).cols(), 0);
  RitzSpace whole;
  whole.add(Matrix::Identity(12, 12), matrix);
  EXPECT_EQ(whole.next_block(4).cols(), 0);
  EXPECT_LT((whole.leading(12).values - truth.values).norm(), 1e-12 * truth.values(0));
  RitzSpace nothing;
  nothing.add(some_block(12, 3), Matrix::Zero(12, 3));
  EXPECT_EQ(nothing.next_block(3).cols(), 0);
}

}  // namespace
}  // namespace choir::gossip_pca
