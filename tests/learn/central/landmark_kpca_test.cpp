#include "choir/learn/central/landmark_kpca.h"

#include "learn/central/toy.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/error.h"

namespace choir {
namespace {

using testing_toys::difference_up_to_sign;
using testing_toys::falling_scales;

CentralKpcaOptions options(Index landmarks) {
  CentralKpcaOptions result;
  result.kernel = {.kind = KernelKind::rbf, .gamma = 0.02};
  result.components.count = 3;
  result.tol = 1e-10;
  result.n_landmarks = landmarks;
  return result;
}

TEST(LandmarkKpca, ApproachesTheExactAnswerAsLandmarksAreAdded) {
  const Samples x = falling_scales(5, 400);
  const CentralKpca exact = central_kernel_pca(x, options(0));
  double before = 1e300;
  for (const Index landmarks : {10, 40, 160}) {
    const CentralKpca fit = central_kernel_pca(x, options(landmarks));
    const double difference = difference_up_to_sign(fit.scores, exact.scores);
    EXPECT_LT(difference, before) << landmarks;
    EXPECT_EQ(fit.model.points.cols(), landmarks);
    before = difference;
  }
  EXPECT_LT(before, 1e-3);
}

TEST(LandmarkKpca, NeverClaimsMoreVarianceThanThereIs) {
  const Samples x = falling_scales(5, 400);
  const CentralKpca exact = central_kernel_pca(x, options(0));
  const CentralKpca fit = central_kernel_pca(x, options(20));
  for (Index d = 0; d < 3; ++d) EXPECT_LE(fit.model.eigenvalues(d), exact.model.eigenvalues(d) * (1 + 1e-9));
  EXPECT_NEAR(fit.model.trace, exact.model.trace, 0.02 * exact.model.trace);
}

TEST(LandmarkKpca, TransformOfTheTrainingDataIsTheTrainingScores) {
  const Samples x = falling_scales(5, 300);
  const CentralKpca fit = central_kernel_pca(x, options(50));
  EXPECT_LE((fit.model.transform(x) - fit.scores).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(LandmarkKpca, NeedsFewerLandmarksThanSamplesAndMoreThanComponents) {
  const Samples x = falling_scales(5, 30);
  EXPECT_THROW(central_kernel_pca(x, options(31)), Error);
  EXPECT_THROW(central_kernel_pca(x, options(3)), Error);
}

}  // namespace
}  // namespace choir
