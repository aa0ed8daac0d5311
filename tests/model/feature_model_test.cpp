#include "choir/model/feature_model.h"

#include <vector>

#include "model/support.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

const std::vector<Kernel> feature_kernels = {{.gamma = 0.2}, {.kind = KernelKind::laplacian, .gamma = 0.1}};

TEST(FeatureModel, AnswersAreThoseOfTheFormula) {
  const Samples samples = normal_samples(5, 60, 1), fresh = normal_samples(5, 20, 2);
  for (const Kernel& kernel : feature_kernels) {
    for (const bool orthogonal : {true, false}) {
      const RandomFeaturesOptions random{.count = 40, .seed = 3, .orthogonal = orthogonal};
      const FeatureModel model = fit_features(kernel, random, samples, 4);
      const Matrix centred = features_of(kernel, random, fresh).colwise() - model.mean;
      const Matrix scores = centred.transpose() * model.directions;
      const Vector errors = centred.colwise().squaredNorm().transpose() - scores.rowwise().squaredNorm();
      EXPECT_LT(largest(model.transform(fresh) - scores), 1e-13) << describe(kernel);
      EXPECT_LT(largest(model.score(fresh) - errors), 1e-13) << describe(kernel);
      const Samples back = (model.sample_slopes * scores.transpose()).colwise() + model.sample_mean;
      EXPECT_LT(largest(model.inverse(scores) - back), 1e-13);
    }
  }
}

TEST(FeatureModel, ApproachesKernelPcaWithManyFeatures) {
  const Samples samples = normal_samples(3, 50, 4);
  const FittedKpca truth = fit_kpca({.gamma = 0.2}, samples, 2);
  const FeatureModel model = fit_features({.gamma = 0.2}, {.count = 600, .seed = 5}, samples, 2);
  EXPECT_LT(largest(model.explained_variance_ratio() - truth.model.explained_variance_ratio()), 0.03);
  EXPECT_LT(largest(model.score(samples) - truth.model.score(samples)), 0.15);
}

TEST(FeatureModel, ScoreIsNeverNegativeAndDoesNotSeeRotations) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Samples samples = normal_samples(3, 12, seed), fresh = 3 * normal_samples(3, 30, seed + 100);
    const Index count = 4 + static_cast<Index>(seed);
    FeatureModel model = fit_features({.gamma = 0.3}, {.count = count, .seed = seed}, samples, 4);
    const Vector before = model.score(fresh);
    EXPECT_GE(before.minCoeff(), 0);
    const Matrix rotation = fit_pca(normal_samples(4, 9, seed), 4).components;
    model.directions = Matrix(model.directions * rotation);
    EXPECT_LT(largest(model.score(fresh) - before), 1e-13) << seed;
  }
}

TEST(FeatureModel, TrainingErrorsAddUpToTheVarianceLeftOut) {
  const Samples samples = normal_samples(4, 50, 6);
  const FeatureModel model = fit_features({.gamma = 0.2}, {.count = 30, .seed = 7}, samples, 5);
  EXPECT_NEAR(model.score(samples).sum(), model.trace - model.eigenvalues.sum(), 1e-10);
  EXPECT_NEAR(model.explained_variance()[0], model.eigenvalues[0] / 50, 1e-15);
}

TEST(FeatureModel, InverseIsTheLinearRegressionOnTheScores) {
  // Samples that move along one direction only, and little: the features are then almost linear in it.
  const Vector direction = normal_samples(4, 1, 8);
  const Samples samples = direction * (0.02 * normal_samples(1, 40, 9));
  const FeatureModel model = fit_features({.gamma = 0.5}, {.count = 50, .seed = 10}, samples, 1);
  EXPECT_LT(largest(model.inverse(model.transform(samples)) - samples), 0.02 * largest(samples));
}

TEST(FeatureModel, EveryBitOfTheSeedCounts) {
  const Samples samples = normal_samples(3, 10, 11);
  FeatureModel model = fit_features({.gamma = 0.5}, {.count = 8, .seed = 1}, samples, 2);
  const Matrix scores = model.transform(samples);
  for (const int bit : {1, 31, 32, 53, 63}) {
    model.random_features.seed = 1 | (std::uint64_t{1} << bit);
    EXPECT_GT(largest(model.transform(samples) - scores), 1e-3) << bit;
  }
}

TEST(FeatureModel, PreprocessingIsDoneAndUndone) {
  const Samples raw = 100 * normal_samples(4, 30, 12);
  const Preprocessing zscore = fit_zscore(255, feature_moments(raw));
  FeatureModel model = fit_features({.gamma = 0.3}, {.count = 20, .seed = 1}, zscore.applied(raw, 0, 30), 3);
  const Matrix expected = model.transform(zscore.applied(raw, 0, 30));
  Samples back = model.inverse(expected);
  zscore.undo(back);
  model.preprocessing = zscore;
  EXPECT_EQ(model.transform(raw), expected);
  EXPECT_EQ(model.inverse(expected), back);
}

TEST(FeatureModel, ManySamplesAreTakenInPiecesWhateverTheThreads) {
  const FeatureModel model =
      fit_features({.gamma = 0.3}, {.count = 9, .seed = 1}, normal_samples(2, 12, 13), 2);
  const Samples samples = normal_samples(2, 9000, 14);  // more than one piece of 8192
  const Matrix scores = model.transform(samples, 1);
  const Vector errors = model.score(samples, 1);
  EXPECT_EQ(scores, model.transform(samples, 3));
  EXPECT_EQ(errors, model.score(samples, 3));
  EXPECT_EQ(model.inverse(scores, 1), model.inverse(scores, 3));
  for (const Index at : {Index{0}, Index{8191}, Index{8192}, Index{8999}}) {
    EXPECT_LT(largest(scores.row(at) - model.transform(samples.col(at))), 1e-14);
    EXPECT_NEAR(errors[at], model.score(samples.col(at))[0], 1e-14);
  }
  EXPECT_EQ(model.transform(Samples(2, 0)).rows(), 0);
}

TEST(FeatureModel, RefusesOtherWidths) {
  const FeatureModel model =
      fit_features({.gamma = 0.3}, {.count = 9, .seed = 1}, normal_samples(3, 12, 15), 2);
  expect_other_widths_are_refused(model);
}

}  // namespace
}  // namespace choir
