#include "choir/learn/central/landmark_kpca.h"

#include <cmath>

#include "learn/central/toy.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/error.h"

namespace choir {
namespace {

using testing_toys::difference_up_to_sign;
using testing_toys::falling_scales;

central_kpca::Options options(Index landmarks) {
  central_kpca::Options result;
  result.kernel = {.kind = KernelKind::rbf, .gamma = 0.02};
  result.n_components.count = 3;
  result.tol = 1e-10;
  result.n_landmarks = landmarks;
  return result;
}

TEST(LandmarkKpca, ApproachesTheExactAnswerAsLandmarksAreAdded) {
  const Samples x = falling_scales(5, 400);
  const central_kpca::Fit exact = fit_central_kpca(x, options(0));
  double before = 1e300;
  for (const Index landmarks : {10, 40, 160}) {
    const central_kpca::Fit fit = fit_central_kpca(x, options(landmarks));
    const double difference = difference_up_to_sign(fit.scores, exact.scores);
    EXPECT_LT(difference, before) << landmarks;
    EXPECT_EQ(fit.model.points.cols(), landmarks);
    before = difference;
  }
  EXPECT_LT(before, 1e-3);
}

TEST(LandmarkKpca, NeverClaimsMoreVarianceThanThereIs) {
  const Samples x = falling_scales(5, 400);
  const central_kpca::Fit exact = fit_central_kpca(x, options(0));
  const central_kpca::Fit fit = fit_central_kpca(x, options(20));
  for (Index d = 0; d < 3; ++d) EXPECT_LE(fit.model.eigenvalues(d), exact.model.eigenvalues(d) * (1 + 1e-9));
  EXPECT_NEAR(fit.model.trace, exact.model.trace, 0.02 * exact.model.trace);
}

TEST(LandmarkKpca, TransformOfTheTrainingDataIsTheTrainingScores) {
  const Samples x = falling_scales(5, 300);
  const central_kpca::Fit fit = fit_central_kpca(x, options(50));
  EXPECT_LE((fit.model.transform(x) - fit.scores).cwiseAbs().maxCoeff(), 1e-9);
}

// What is claimed, against kernel PCA without landmarks; where it is weak, the advice says what helps.
TEST(LandmarkKpca, ClaimsWhatIsTrue) {
  const Samples x = falling_scales(5, 400);
  const central_kpca::Fit exact = fit_central_kpca(x, options(0));
  EXPECT_FALSE(exact.assessment) << "nothing is missed";
  for (const Index landmarks : {4, 10, 40, 160}) {
    const central_kpca::Fit fit = fit_central_kpca(x, options(landmarks));
    ASSERT_TRUE(fit.assessment);
    const Vector& claims = fit.assessment->claimed_similarity;
    for (Index d = 0; d < 3; ++d) {
      const double cosine = std::abs(fit.scores.col(d).normalized().dot(exact.scores.col(d).normalized()));
      EXPECT_LE(claims(d), cosine + 0.02) << landmarks << " " << d;
    }
    EXPECT_EQ(fit.assessment->good(), claims.minCoeff() >= weak_claim);
    EXPECT_NEAR(fit.assessment->total_variance * 400, fit.model.trace, 1e-9);
  }
  EXPECT_TRUE(fit_central_kpca(x, options(160)).assessment->good());
  const central_kpca::Fit few = fit_central_kpca(x, options(4));
  ASSERT_FALSE(few.assessment->good());
  EXPECT_THAT(few.assessment->weaknesses[0], ::testing::HasSubstr("raise --n-landmarks above 4"));
}

TEST(LandmarkKpca, ClaimsNothingForAKernelThatIsNoInnerProduct) {
  central_kpca::Options indefinite = options(40);
  indefinite.kernel = {.kind = KernelKind::sigmoid, .gamma = 0.01, .coef0 = 0};
  indefinite.n_components.count = 1;
  const central_kpca::Fit fit = fit_central_kpca(falling_scales(5, 400), indefinite);
  EXPECT_TRUE(fit.assessment->good());
  EXPECT_EQ(fit.assessment->claimed_similarity.size(), 0);
}

TEST(LandmarkKpca, NeedsFewerLandmarksThanSamplesAndMoreThanComponents) {
  const Samples x = falling_scales(5, 30);
  EXPECT_THROW(fit_central_kpca(x, options(31)), Error);
  EXPECT_THROW(fit_central_kpca(x, options(3)), Error);
}

}  // namespace
}  // namespace choir
