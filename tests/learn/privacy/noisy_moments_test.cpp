// That one sample changes the moments by no more than their sensitivity, and that all nodes together add the
// noise that the release asks for.
#include "choir/learn/privacy/noisy_moments.h"

#include <cmath>
#include <limits>

#include "graph/expect_error.h"
#include <gtest/gtest.h>

#include "choir/base/rng.h"
#include "choir/learn/privacy/noisy_words.h"

namespace choir {
namespace {

using testing::expect_error;

Matrix normal_matrix(Index rows, Index columns, std::uint64_t seed) {
  Rng random(seed, Purpose("noisy moments test"));
  return Matrix::NullaryExpr(rows, columns, [&] { return random.normal(); });
}

double distance(const Vector& psi, const Vector& phi) {
  return (moments_column(within_unit_length(psi)) - moments_column(within_unit_length(phi))).norm();
}

TEST(NoisyMoments, AColumnHoldsBothSumsAsLongAsTheyAre) {
  const Matrix psi = normal_matrix(5, 9, 1);
  const Matrix column = moments_column(psi);
  const NoisyMoments moments = moments_from(column, 9, 0.5);
  const Matrix products = psi * psi.transpose();
  const Vector sum = psi.rowwise().sum();
  EXPECT_LE((moments.products - products).norm(), 1e-12);
  EXPECT_LE((moments.sum - sum).norm(), 1e-12);
  EXPECT_NEAR(column.squaredNorm(), products.squaredNorm() + sum.squaredNorm(), 1e-9);
  EXPECT_EQ(moments.samples, 9);
  EXPECT_EQ(moments.sigma, 0.5);
}

TEST(NoisyMoments, AColumnOfAnotherSizeIsRefused) {
  expect_error(ErrorCategory::BadData, {"6 numbers"}, [] { moments_from(Matrix::Zero(6, 1), 1, 1); });
}

TEST(NoisyMoments, OnlyLongColumnsAreShortened) {
  Matrix psi(2, 3);
  psi << 3, 0.3, 0, 4, 0.4, 0;
  const Matrix shortened = within_unit_length(psi);
  EXPECT_NEAR(shortened.col(0).norm(), 1, 1e-8);
  EXPECT_LT(shortened.col(0).norm(), 1);
  EXPECT_LE((shortened.col(1) - psi.col(1)).norm(), 1e-8);
  EXPECT_EQ(shortened.col(2), psi.col(2));
}

// Over lengths, whether bounded or not, and directions.
TEST(NoisyMoments, NoReplacedSampleChangesThemByMoreThanTheSensitivity) {
  Rng random(2, Purpose("noisy moments test"));
  double largest = 0;
  for (int trial = 0; trial < 20'000; ++trial) {
    const Index features = 1 + trial % 4;
    Matrix pair = Matrix::NullaryExpr(features, 2, [&] { return random.normal(); });
    for (auto column : pair.colwise()) column *= 1.5 * random.uniform() / column.norm();
    largest = std::max(largest, distance(pair.col(0), pair.col(1)));
  }
  EXPECT_LE(largest, moments_sensitivity);
  EXPECT_GE(largest, 0.99 * moments_sensitivity);
}

TEST(NoisyMoments, TheSensitivityIsThatOfAnglesOf120Degrees) {
  const Eigen::Vector2d psi(1, 0);
  const Eigen::Vector2d phi(-0.5, std::sqrt(0.75));
  EXPECT_NEAR(distance(psi, phi), moments_sensitivity, 1e-8);
  EXPECT_NEAR(moments_sensitivity, std::sqrt(4.5), 1e-15);
}

TEST(NoisyMoments, ValuesThatAreNoNumbersAreRefusedBeforeTheyAreSummed) {
  const Release release{.what = "moments", .sensitivity = moments_sensitivity, .rho = 0.1};
  for (const double value : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    const Matrix psi = Eigen::Vector2d(0.5, value);
    const Matrix column = moments_column(within_unit_length(psi));
    RandomBits bits;
    expect_error(ErrorCategory::InvalidArgument, {"entry"},
                 [&] { NoisyWords(release, 1, column.size()).of(column, bits); });
  }
}

// Of 200,000 draws the variance deviates by .3%.
TEST(NoisyMoments, TheNoiseOfAllNodesIsThatOfTheReleaseWithoutItsColluders) {
  const Index nodes = 7;
  PrivacyPlan plan({.epsilon = 1.0}, nodes);
  const Release release = plan.release("moments", moments_sensitivity, 1.0);
  const Matrix nothing = Matrix::Zero(200'000, 1);
  const NoisyWords how(release, plan.share_of_variance(), nothing.size());
  Words all = Words::Zero(nothing.rows(), 1);
  RandomBits bits;
  for (Index node = 0; node < nodes; ++node) all += how.of(nothing, bits);
  const Matrix total = how.total(WordsView(all.data(), all.rows(), 1), nothing.rows(), 1);
  const double honest = static_cast<double>(nodes - assumed_colluders(nodes)) / static_cast<double>(nodes);
  const double variance = total.squaredNorm() / static_cast<double>(total.size());
  EXPECT_NEAR(honest * variance / (release.sigma() * release.sigma()), 1, 0.03);
}

}  // namespace
}  // namespace choir
