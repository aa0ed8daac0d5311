#include "choir/metrics/similarity.h"

#include <cmath>

#include "graph/expect_error.h"
#include "metrics/samples.h"

#include "choir/linalg/eigen.h"
#include "choir/metrics/subspace.h"

namespace choir {
namespace {

using testing::expect_error;
using testing::random_matrix;
using testing::wave_matrix;

// Points whose features are written out, so that directions exist as vectors too.
struct Pair {
  Matrix features_a;
  Matrix features_b;
  Matrix gram_a = features_a.transpose() * features_a;
  Matrix gram_ab = features_a.transpose() * features_b;
  Matrix gram_b = features_b.transpose() * features_b;
  GramBlocks blocks() const { return {.a = gram_a, .ab = gram_ab, .b = gram_b}; }
};

const Pair waves{.features_a = wave_matrix(20, 5, 0.2), .features_b = wave_matrix(20, 7, 0.9)};
const Matrix a = wave_matrix(5, 2, 4.0);
const Matrix b = wave_matrix(7, 2, 5.0);

TEST(DirectionSimilarity, EqualsNumpy) {
  const Vector similarity = direction_similarity(waves.blocks(), a, b);
  ASSERT_EQ(similarity.size(), 2);
  EXPECT_NEAR(similarity[0], 0.43240237431929573, 1e-13);
  EXPECT_NEAR(similarity[1], 0.43487230966664076, 1e-13);
}

TEST(FeatureSpaceAngles, EqualScipy) {
  const Vector angles = feature_space_angles(waves.blocks(), a, b);
  ASSERT_EQ(angles.size(), 2);
  EXPECT_NEAR(angles[0], 0.9986230282423948, 1e-12);
  EXPECT_NEAR(angles[1], 1.3301578407541899, 1e-12);
}

TEST(DirectionSimilarity, IsOneForTheSameAndForgetsLengthAndSign) {
  const GramBlocks same{.a = waves.gram_a, .ab = waves.gram_a, .b = waves.gram_a};
  EXPECT_LT((direction_similarity(same, a, -3 * a) - Vector::Ones(2)).norm(), 1e-14);
  EXPECT_LE(direction_similarity(same, a, a).maxCoeff(), 1);
  const Vector before = direction_similarity(waves.blocks(), a, b);
  EXPECT_LT((direction_similarity(waves.blocks(), 1e-6 * a, -1e6 * b) - before).norm(), 1e-13);
}

TEST(FeatureSpaceAngles, EqualThoseOfTheWrittenOutDirections) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Pair pair{.features_a = random_matrix(15, 6, 4 * seed),
                    .features_b = random_matrix(15, 8, 4 * seed + 1)};
    const Matrix ca = random_matrix(6, 3, 4 * seed + 2);
    const Matrix cb = random_matrix(8, 4, 4 * seed + 3);
    const Matrix wa = pair.features_a * ca;
    const Matrix wb = pair.features_b * cb;
    const Vector truth = principal_angles(wa, wb);
    EXPECT_LT((feature_space_angles(pair.blocks(), ca, cb) - truth).norm(), 1e-9);
    EXPECT_NEAR(feature_space_cosines(pair.blocks(), ca, cb).minCoeff(), smallest_cosine(wa, wb), 1e-11);
    const Vector similarity = direction_similarity(pair.blocks(), ca, cb.leftCols(3));
    for (Index d = 0; d < 3; ++d) {
      const double cosine = std::abs(wa.col(d).dot(wb.col(d))) / (wa.col(d).norm() * wb.col(d).norm());
      EXPECT_NEAR(similarity[d], cosine, 1e-12);
    }
  }
}

TEST(FeatureSpaceAngles, OfDirectionsOfVeryDifferentLength) {
  Matrix scaled = a;
  scaled.col(0) *= 1e-9;
  const Vector angles = feature_space_angles(waves.blocks(), a, b);
  EXPECT_LT((feature_space_angles(waves.blocks(), scaled, b) - angles).norm(), 1e-10);
}

TEST(FeatureSpaceCapturedVariance, EqualsThatOfTheWrittenOutDirections) {
  const Matrix& features = waves.features_b;
  const auto pairs = eigen_symmetric<double>(waves.gram_b);
  const double share = feature_space_captured_variance(waves.gram_b, b, pairs.values);
  const double truth = captured_variance(features * features.transpose(), features * b, pairs.values);
  EXPECT_NEAR(share, truth, 1e-11);
  EXPECT_NEAR(feature_space_captured_variance(waves.gram_b, pairs.vectors.leftCols(2), pairs.values), 1,
              1e-12);
  EXPECT_LT(share, 1);
}

TEST(Similarity, RefusesSizesThatDoNotMatch) {
  const Matrix none(5, 0);
  expect_error(ErrorCategory::InvalidArgument, {"block a is 5 x 5", "need 4 x 4"},
               [] { direction_similarity(waves.blocks(), a.topRows(4), b); });
  expect_error(ErrorCategory::InvalidArgument, {"block ab is 5 x 7", "need 5 x 6"},
               [] { feature_space_cosines(waves.blocks(), a, b.topRows(6)); });
  expect_error(ErrorCategory::InvalidArgument, {"2 directions", "with 1"},
               [] { direction_similarity(waves.blocks(), a, b.leftCols(1)); });
  expect_error(ErrorCategory::InvalidArgument, {"no directions", "5 x 0"},
               [&] { direction_similarity(waves.blocks(), none, b); });
}

TEST(Similarity, RefusesDirectionsWithoutLengthOrDependent) {
  Matrix degenerate = a;
  degenerate.col(1).setZero();
  expect_error(ErrorCategory::InvalidArgument, {"direction 1 of a", "length zero"},
               [&] { direction_similarity(waves.blocks(), degenerate, b); });
  degenerate.col(1) = -2 * a.col(0);
  expect_error(ErrorCategory::InvalidArgument, {"directions of a depend"},
               [&] { feature_space_angles(waves.blocks(), degenerate, b); });
}

}  // namespace
}  // namespace choir
