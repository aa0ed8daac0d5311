#include "choir/learn/oneshot_kpca/claims.h"

#include <cmath>

#include "learn/oneshot_kpca/party_factors.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/linalg/eigen.h"

namespace choir::oneshot_kpca {
namespace {

using ::testing::HasSubstr;
using testing::kernel_factors;

TEST(Claims, AreTheCosinesOfGroups) {
  // The first turned by 0.3 out of the space, the second and third into each other, which does no harm.
  const Matrix truth = Matrix::Identity(6, 4);
  Matrix answer = Matrix::Zero(6, 3);
  answer(0, 0) = std::cos(0.3);
  answer(5, 0) = std::sin(0.3);
  answer(1, 1) = answer(2, 1) = answer(1, 2) = std::sqrt(0.5);
  answer(2, 2) = -std::sqrt(0.5);
  const Vector cosines = group_cosines(answer, truth, {{0, 0}, {1, 2}});
  EXPECT_NEAR(cosines(0), std::cos(0.3), 1e-12);
  EXPECT_NEAR(cosines(1), 1, 1e-12);
  EXPECT_NEAR(cosines(2), 1, 1e-12);
  // A group that goes on beyond those kept: inside it any direction is as good.
  Matrix beyond = answer.leftCols(1);
  beyond.col(0) = truth.col(3);
  EXPECT_NEAR(group_cosines(beyond, truth, {{0, 3}})(0), 1, 1e-12);
  EXPECT_EQ(group_cosines(answer, truth.leftCols(2), {{0, 0}, {1, 2}})(2), 0) << "the others have no third";
}

// Features of a slowly decaying spectrum: few vectors say little, and the claim knows.
TEST(Claims, FallWithWhatIsLeftOutAndAreNotAboveTheTruth) {
  const Samples samples = testing::party_samples(60, 120, 3, 40);
  const Kernel linear{.kind = KernelKind::linear};
  const Matrix centred = samples.colwise() - samples.rowwise().mean();
  const Matrix truth = eigen_symmetric<double>(centred.transpose() * centred).vectors.leftCols(9);
  double before = 0;
  for (const Index count : {5, 12, 25, 30}) {
    const auto factors = kernel_factors(linear, samples, 2, {.count = count});
    const FusedAnswer answer = leading_components(fuse_products(linear, factors), {.count = 4}, {});
    const FusedKernel part = fuse_products(linear, compared_parts(factors));
    std::optional<Matrix> fewer;
    if (!part.whole) fewer = leading_vectors(part, 9, {});
    const Assessment assessment = assess(answer, fewer, "send more");
    const double least = assessment.claimed_similarity.minCoeff();
    const Vector right = group_cosines(answer.vectors, truth, component_groups(answer.spectrum, 4));
    EXPECT_GT(least, before) << count;
    // Below, a claim says "weak", and by how much it does not promise.
    if (least >= weak_claim) EXPECT_LT(least, right.minCoeff() + 0.02) << count;
    EXPECT_EQ(right.minCoeff() > 0.98, least >= weak_claim) << count << ": " << right.minCoeff();
    EXPECT_EQ(assessment.good(), least >= weak_claim);
    if (!assessment.good()) EXPECT_THAT(assessment.weaknesses[0], HasSubstr("send more"));
    before = least;
  }
  EXPECT_EQ(before, 1) << "everything was sent";
}

}  // namespace
}  // namespace choir::oneshot_kpca
