#include "choir/learn/consensus_kpca/projection_consensus.h"

#include <cmath>

#include <gtest/gtest.h>

namespace choir::consensus_kpca {
namespace {

Matrix block(double strong, double weak) {
  Matrix columns = Matrix::Zero(4, 2);
  columns(0, 0) = strong;
  columns(1, 1) = weak;
  return columns;
}

TEST(MovedDirections, OneColumnMovesAsItsDirectionDoes) {
  const Matrix before = Eigen::Vector2d(1, 0);
  const Matrix after = Eigen::Vector2d(3 * std::cos(0.1), 3 * std::sin(0.1));
  EXPECT_NEAR(moved_directions(after, before)(0), 2 * std::sin(0.05), 1e-12);
  EXPECT_EQ(moved_directions(before, before)(0), 0);
}

// The norm of the whole block would see a tenth of this.
TEST(MovedDirections, AWeakColumnCannotHideBehindAStrongOne) {
  const Matrix before = block(1, 0.1);
  Matrix after = before;
  after(2, 1) = 0.05;
  const Vector moved = moved_directions(after, before);
  EXPECT_GT(moved(1), 0.4);
  EXPECT_LT(moved(0), 0.01);
}

TEST(MovedDirections, TheScaleOfTheBlockDoesNotMatter) {
  EXPECT_LE(moved_directions(5 * block(1, 0.1), block(1, 0.1)).maxCoeff(), 1e-14);
}

// What is left of a direction outside the node's span is rounding: it may turn as it likes.
TEST(MovedDirections, AColumnOutsideTheSpanIsJudgedByTheOthersLength) {
  Matrix after = block(1, 0);
  after(2, 1) = 1e-9;
  EXPECT_LE(moved_directions(after, block(1, 1e-9)).maxCoeff(), 1e-6);
}

TEST(MovedDirections, NothingAtAllDoesNotMove) {
  EXPECT_EQ(moved_directions(block(0, 0), block(0, 0)).maxCoeff(), 0);
  EXPECT_EQ(moved_directions(block(1, 1), block(0, 0)).minCoeff(), 1);
}

}  // namespace
}  // namespace choir::consensus_kpca
