#include "choir/model/linear_model.h"

#include "model/support.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

TEST(LinearModel, ScoresAreCoordinatesFromTheMean) {
  const Samples samples = normal_samples(6, 40, 1);
  const LinearModel model = fit_pca(samples, 3);
  const Matrix scores = model.transform(samples);
  EXPECT_LT(largest(scores.colwise().mean()), 1e-14);
  const Matrix products = scores.transpose() * scores;  // uncorrelated, with the eigenvalues as lengths
  EXPECT_LT(largest(products - Matrix(model.eigenvalues.asDiagonal())), 1e-12);
}

TEST(LinearModel, InverseAndScoreSplitASampleIntoPlaneAndRest) {
  const Samples samples = normal_samples(6, 40, 2);
  const LinearModel model = fit_pca(samples, 3);
  const Samples back = model.inverse(model.transform(samples));
  const Vector errors = (samples - back).colwise().squaredNorm();
  EXPECT_LT(largest(model.score(samples) - errors), 1e-12);
  EXPECT_NEAR(errors.sum(), model.trace - model.eigenvalues.sum(), 1e-10);
  EXPECT_LT(model.score(back).maxCoeff(), 1e-28);  // nothing is left over: no cancellation
  const LinearModel whole = fit_pca(samples, 6);
  EXPECT_LT(largest(whole.inverse(whole.transform(samples)) - samples), 1e-12);
}

TEST(LinearModel, PreprocessingIsDoneAndUndone) {
  Samples raw = 100 * normal_samples(4, 30, 3);
  LinearModel model;
  const Preprocessing zscore = fit_zscore(255, feature_moments(raw));
  Samples prepared = raw;
  zscore.apply(prepared);
  model = fit_pca(prepared, 4);
  const Matrix expected = model.transform(prepared);
  model.preprocessing = zscore;
  EXPECT_LT(largest(model.transform(raw) - expected), 1e-13);
  EXPECT_LT(largest(model.inverse(expected) - raw), 1e-10);
}

TEST(LinearModel, BitsDoNotDependOnThreads) {
  const Samples samples = normal_samples(5, 9000, 4);
  const LinearModel model = fit_pca(samples, 2);
  const Matrix scores = model.transform(samples, 1);
  EXPECT_EQ(scores, model.transform(samples, 3));
  EXPECT_EQ(model.score(samples, 1), model.score(samples, 3));
  EXPECT_EQ(model.inverse(scores, 1), model.inverse(scores, 3));
}

TEST(LinearModel, ExplainsVariance) {
  const LinearModel model = fit_pca(normal_samples(3, 50, 5), 3);
  EXPECT_NEAR(model.explained_variance_ratio().sum(), 1, 1e-12);
  EXPECT_NEAR(model.explained_variance()[0], model.eigenvalues[0] / 50, 1e-15);
}

TEST(LinearModel, RefusesOtherWidths) {
  const LinearModel model = fit_pca(normal_samples(3, 50, 5), 2);
  expect_other_widths_are_refused(model);
}

}  // namespace
}  // namespace choir
