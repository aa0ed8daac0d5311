#include "choir/learn/assessment/claim.h"

#include <cmath>

#include "linalg/matrices.h"
#include <gtest/gtest.h>

#include "choir/linalg/eigen.h"
#include "choir/linalg/svd.h"

namespace choir {
namespace {

// A covariance with known variances, of which the first m coordinates are seen.
struct Scene {
  Matrix samples;  // coordinates x N, centred
  Index seen;

  Scene(Index coordinates, Index seen_coordinates, Index count, double mixing) : seen(seen_coordinates) {
    samples = testing::random_matrix(coordinates, count, 1);
    for (Index i = 0; i < coordinates; ++i) samples.row(i) *= std::pow(0.7, static_cast<double>(i));
    samples.bottomRows(coordinates - seen) += mixing * samples.topRows(coordinates - seen);
    samples.colwise() -= samples.rowwise().mean().eval();
  }
  Matrix covariance() const { return samples * samples.transpose() / static_cast<double>(samples.cols()); }

  GuardedAnswer answer(Index kept) const {
    const EigenPairs pairs = eigen_symmetric<double>(covariance().topLeftCorner(seen, seen));
    return {.directions = pairs.vectors, .variances = pairs.values, .kept = kept};
  }
  Matrix rest() const {
    const auto missed = samples.bottomRows(samples.rows() - seen);
    return missed.transpose() * missed;
  }
  Vector truth(Index kept) const {
    const EigenPairs central = eigen_symmetric<double>(covariance());
    const Matrix overlap = answer(kept).directions.leftCols(kept).transpose() * central.vectors.topRows(seen);
    return overlap.leftCols(kept).diagonal().cwiseAbs();
  }
};

TEST(Claim, TheResidualOfAllPairsIsThatOfTheCovariance) {
  const Scene scene(8, 6, 200, 0.05);
  const GuardedAnswer answer = scene.answer(3);
  const Matrix scores = scene.samples.topRows(6).transpose() * answer.directions;
  const Matrix gram = residual_gram(residual_sums(scores, scene.rest()));
  const Matrix tilt = scene.covariance().bottomLeftCorner(2, 6) * answer.directions;
  EXPECT_LE((gram - tilt.transpose() * tilt).norm(), 1e-12);
}

TEST(Claim, OfTheResidualIsTheTrueCosineToSecondOrder) {
  const Scene scene(8, 6, 400, 0.05);
  const GuardedAnswer answer = scene.answer(3);
  const Matrix scores = scene.samples.topRows(6).transpose() * answer.directions;
  const Vector claims = claims_from_residual(answer, residual_gram(residual_sums(scores, scene.rest())));
  EXPECT_LE((claims - scene.truth(3)).cwiseAbs().maxCoeff(), 0.005);
  EXPECT_LT(scene.truth(3).minCoeff(), 0.9999);  // there is something to find
}

// What the central components capture, over all coordinates.
TEST(Claim, TheShareCapturedIsTheTrueOneToSecondOrder) {
  for (const double mixing : {0.05, 0.2}) {
    const Scene scene(8, 6, 400, mixing);
    const GuardedAnswer answer = scene.answer(3);
    const Matrix scores = scene.samples.topRows(6).transpose() * answer.directions;
    const double claimed = captured_share(answer, residual_gram(residual_sums(scores, scene.rest())));
    const Vector central = eigen_symmetric<double>(scene.covariance()).values;
    const double share = answer.variances.head(3).sum() / central.head(3).sum();
    EXPECT_NEAR(claimed, share, 0.1 * (1 - share));
    EXPECT_LT(share, 0.9995);  // there is something to find
  }
}

TEST(Claim, ADirectionOutsideTheSpanTakesThePlaceOfTheWeakestComponent) {
  const GuardedAnswer answer{
      .directions = Matrix::Identity(3, 3), .variances = Eigen::Vector3d(4, 2, 1), .kept = 2};
  EXPECT_NEAR(captured_share(answer, Matrix::Zero(3, 3), 3), 6.0 / 7, 1e-12);
  EXPECT_EQ(captured_share(answer, Matrix::Zero(3, 3), 1.5), 1);
}

TEST(Claim, SumsOverNodesStandForAllPairs) {
  const Scene scene(8, 6, 4000, 0.2);
  const GuardedAnswer answer = scene.answer(3);
  ResidualSums all{.pairs = Matrix::Zero(6, 6), .own = Matrix::Zero(6, 6)};
  for (Index node = 0; node < 40; ++node) {
    const Matrix mine = scene.samples.middleCols(100 * node, 100);
    const auto missed = mine.bottomRows(2);
    const ResidualSums sums =
        residual_sums(mine.topRows(6).transpose() * answer.directions, missed.transpose() * missed);
    all = ResidualSums::unpacked(all.packed() + sums.packed());
  }
  EXPECT_EQ(all.samples, 4000);
  EXPECT_EQ(all.pair_count, 40 * 100 * 99);
  EXPECT_LE((claims_from_residual(answer, residual_gram(all)) - scene.truth(3)).cwiseAbs().maxCoeff(), 0.02);
}

TEST(Claim, NothingMissedIsCertain) {
  const Scene scene(8, 8, 100, 0);
  const GuardedAnswer answer = scene.answer(3);
  const Matrix scores = scene.samples.transpose() * answer.directions;
  const Vector claims =
      claims_from_residual(answer, residual_gram(residual_sums(scores, Matrix::Zero(100, 100))));
  EXPECT_LE((claims - Vector::Ones(3)).norm(), 1e-12);
}

TEST(Claim, OfASubspaceIsItsSmallestCosine) {
  GuardedAnswer answer{
      .directions = Matrix::Identity(5, 4), .variances = Eigen::Vector4d(8, 4, 2, 1), .kept = 2};
  Matrix other = Matrix::Identity(5, 4);
  other(1, 1) = std::cos(0.3);
  other(4, 1) = std::sin(0.3);
  const Vector claims = claims_from_subspace(answer, other);
  EXPECT_NEAR(claims(0), 1, 1e-12);
  EXPECT_NEAR(claims(1), std::cos(0.3), 1e-12);
}

// Two components of the same variance may be rotated into each other without harm.
TEST(Claim, AGroupIsJudgedAsOne) {
  GuardedAnswer answer{
      .directions = Matrix::Identity(4, 3), .variances = Eigen::Vector3d(4, 3.99, 1), .kept = 2};
  Matrix turned = Matrix::Identity(4, 3);
  turned.topLeftCorner(2, 2) << std::cos(1), -std::sin(1), std::sin(1), std::cos(1);
  EXPECT_LE((claims_from_subspace(answer, turned) - Vector::Ones(2)).norm(), 1e-12);
  answer.variances(1) = 2;
  EXPECT_NEAR(claims_from_subspace(answer, turned)(0), std::cos(1), 1e-12);
}

TEST(Claim, OfScoresIsTheirCorrelation) {
  const GuardedAnswer answer{.directions = {}, .variances = Eigen::Vector2d(4, 1), .kept = 2};
  Matrix products(2, 2);
  products << 2 * 3 * 0.8, 0, 0, 1 * 0.5 * 0.9;
  const Vector claims = claims_from_scores(answer, products, Eigen::Vector2d(9, 0.25));
  EXPECT_NEAR(claims(0), 0.8, 1e-12);
  EXPECT_NEAR(claims(1), 0.9, 1e-12);
}

// One sample that the features do not see: its direction comes before components with less variance.
TEST(Claim, NothingIsClaimedForComponentsBehindAnOutlier) {
  const Scene scene(8, 6, 200, 0.05);
  const GuardedAnswer answer = scene.answer(4);
  const Matrix scores = scene.samples.topRows(6).transpose() * answer.directions;
  Matrix rest = scene.rest();
  rest(7, 7) += 200 * (answer.variances(1) + answer.variances(2)) / 2;
  const ResidualSums sums = ResidualSums::unpacked(residual_sums(scores, rest).packed());
  const double missed = missed_variance(sums);
  EXPECT_NEAR(missed, rest(7, 7) / 200, 1e-3 * missed);
  const Matrix gram = residual_gram(residual_sums(scores, scene.rest()));
  const Vector claims = claims_from_residual(answer, gram, missed);
  EXPECT_GT(claims(1), 0.9);
  EXPECT_LT(claims(1), claims_from_residual(answer, gram)(1));
  EXPECT_EQ(claims(2), 0);
  EXPECT_EQ(claims(3), 0);
}

}  // namespace
}  // namespace choir
