#include "choir/kernel/nystroem.h"

#include "kernel/support.h"
#include <Eigen/LU>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace choir {
namespace {

constexpr Kernel narrow{.kind = KernelKind::rbf, .gamma = 0.2};

TEST(Nystroem, IsExactOnTheLandmarks) {
  const Samples z = normal_samples(6, 50, 80);
  const NystroemFeatures features(narrow, z);
  const Matrix f = features.transform(z);
  EXPECT_EQ(features.rank(), 50);
  EXPECT_LE(largest_difference(f.transpose() * f, plain_gram(narrow, z, z)), 1e-11);
}

TEST(Nystroem, IsTheFormulaOnNewSamples) {
  const Samples z = normal_samples(6, 20, 81), x = normal_samples(6, 700, 82);
  const Matrix f = NystroemFeatures(narrow, z).transform(x);
  const Matrix similarity = plain_gram(narrow, z, x);
  const Matrix truth = similarity.transpose() * plain_gram(narrow, z, z).inverse() * similarity;
  EXPECT_LE(largest_difference(f.transpose() * f, truth), 1e-10);
}

TEST(Nystroem, RepeatedLandmarksLowerTheRankAndNothingElse) {
  const Samples once = normal_samples(6, 20, 83);
  Samples twice(6, 40);
  twice << once, once;
  const NystroemFeatures features(narrow, twice);
  EXPECT_EQ(features.rank(), 20);
  const Samples x = normal_samples(6, 30, 84);
  const Matrix f = features.transform(x), g = NystroemFeatures(narrow, once).transform(x);
  EXPECT_LE(largest_difference(f.transpose() * f, g.transpose() * g), 1e-10);
}

TEST(Nystroem, LinearKernelHasTheRankOfTheFeatures) {
  const Samples z = normal_samples(4, 30, 85), x = normal_samples(4, 25, 86);
  const NystroemFeatures features({.kind = KernelKind::linear}, z);
  EXPECT_EQ(features.rank(), 4);
  const Matrix f = features.transform(x);
  EXPECT_LE(largest_difference(f.transpose() * f, x.transpose() * x), 1e-11);
}

TEST(Nystroem, BitsDoNotDependOnThreads) {
  const NystroemFeatures features(narrow, normal_samples(6, 20, 87));
  const Samples x = normal_samples(6, 1200, 88);
  EXPECT_EQ(features.transform(x, 1), features.transform(x, 5));
}

TEST(Nystroem, ErrorsNameTheTrouble) {
  EXPECT_THAT(message_of([] { NystroemFeatures(narrow, Samples(3, 0)); }),
              HasSubstr("at least one landmark"));
  EXPECT_THAT(message_of([] { NystroemFeatures({.kind = KernelKind::linear}, Samples::Zero(3, 5)); }),
              HasSubstr("no positive eigenvalue"));
  EXPECT_THAT(
      message_of([] { NystroemFeatures(narrow, Samples::Ones(3, 1)).transform(Samples::Ones(4, 1)); }),
      ::testing::AllOf(HasSubstr("4 features"), HasSubstr("3")));
}

}  // namespace
}  // namespace choir
