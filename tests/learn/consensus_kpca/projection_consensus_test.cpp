#include "choir/learn/consensus_kpca/projection_consensus.h"

#include <cmath>

#include "linalg/matrices.h"
#include <gtest/gtest.h>

#include "choir/linalg/pseudo_inverse.h"

namespace choir::consensus_kpca {
namespace {

using ::choir::testing::random_matrix;

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

// Three different samples, each held by two nodes of three: G has three directions, and four are asked for.
// Coefficients of the fourth are in its null space. Normalised, they grew to 1e15 and its projections to 1e6.
TEST(ProjectionConsensus, MoreColumnsThanDirectionsStayBounded) {
  const Matrix features = random_matrix(5, 3, 1);
  Matrix samples(5, 6);
  samples << features, features;
  const Matrix g = samples.transpose() * samples;
  const std::vector<Index> sizes{2, 2, 2};
  ProjectionConsensus state(pseudo_inverse_basis<double>(g.topLeftCorner(2, 2), rank_cutoff),
                            NeighborhoodKernel(g, sizes, Precision::float64), 4);
  state.begin_with_coefficients(random_matrix(6, 4, 2));
  const double longest = std::sqrt(g.diagonal().maxCoeff());
  for (int step = 0; step < 50; ++step) {
    for (Index member = 0; member < 3; ++member)
      state.add(member, random_matrix(2, 4, static_cast<std::uint64_t>(100 + 3 * step + member)), 0.1);
    ASSERT_LE(state.project().cwiseAbs().maxCoeff(), 1.001 * longest) << "step " << step;
    ASSERT_LE(state.c().cwiseAbs().maxCoeff(), 1e9) << "step " << step;
  }
}

TEST(Orthonormalising, MakesWhatIsThereOrthonormal) {
  const Matrix features = random_matrix(7, 6, 3);
  const Matrix g = features.transpose() * features;
  const Matrix c = random_matrix(6, 3, 4);
  const Matrix z = features * c * orthonormalising(c, c.transpose() * g * c, 1e-15 * g.norm());
  EXPECT_LE((z.transpose() * z - Matrix::Identity(3, 3)).norm(), 1e-10);
}

TEST(MovedDirections, NothingAtAllDoesNotMove) {
  EXPECT_EQ(moved_directions(block(0, 0), block(0, 0)).maxCoeff(), 0);
  EXPECT_EQ(moved_directions(block(1, 1), block(0, 0)).minCoeff(), 1);
}

}  // namespace
}  // namespace choir::consensus_kpca
