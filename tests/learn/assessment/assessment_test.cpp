#include "choir/learn/assessment/assessment.h"

#include <gtest/gtest.h>

namespace choir {
namespace {

TEST(Assessment, AnAnswerWithoutWeaknessesIsGood) { EXPECT_TRUE(Assessment().good()); }

TEST(Assessment, AWeakClaimIsNamedWithWhatHelps) {
  Assessment assessment;
  assessment.claimed_similarity = Eigen::Vector3d(0.99, 0.95, 0.42);
  call_weak_claims(assessment, "raise --n-landmarks");
  ASSERT_EQ(assessment.weaknesses.size(), 1u);
  EXPECT_EQ(
      assessment.weaknesses[0],
      "the answer is weak: component 3 is expected to have a similarity of 0.42 to the central one; raise "
      "--n-landmarks, or ask for 2 components");
  EXPECT_FALSE(assessment.good());
}

TEST(Assessment, SeveralWeakComponentsAreCounted) {
  Assessment assessment;
  assessment.claimed_similarity = Eigen::Vector3d(0.99, 0.5, 0.42);
  call_weak_claims(assessment, "raise --n-landmarks");
  ASSERT_EQ(assessment.weaknesses.size(), 1u);
  EXPECT_NE(assessment.weaknesses[0].find("2 of 3 components are below 0.9"), std::string::npos);
}

TEST(Assessment, FewerComponentsAreAdvisedIfTheFirstOnesAreStrong) {
  Assessment first;
  first.claimed_similarity = Eigen::Vector3d(0.95, 0.5, 0.97);
  call_weak_claims(first, "raise --n-landmarks");
  EXPECT_TRUE(first.weaknesses.at(0).ends_with("raise --n-landmarks, or ask for 1 component"));
  Assessment none;
  none.claimed_similarity = Eigen::Vector2d(0.5, 0.97);
  call_weak_claims(none, "raise --n-landmarks");
  EXPECT_TRUE(none.weaknesses.at(0).ends_with("raise --n-landmarks"));
}

TEST(Assessment, StrongClaimsAreNoWeakness) {
  Assessment assessment;
  assessment.claimed_similarity = Eigen::Vector2d(0.99, 0.91);
  call_weak_claims(assessment, "raise --n-landmarks");
  EXPECT_TRUE(assessment.good());
}

}  // namespace
}  // namespace choir
