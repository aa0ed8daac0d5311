#include "choir/model/pre_image.h"

#include <limits>
#include <numbers>
#include <string>

#include "model/support.h"
#include <gtest/gtest.h>

#include "choir/base/error.h"
#include "choir/model/model_file.h"

namespace choir {
namespace {

// Points of a circle of radius 1, each moved by noise of the given size.
Samples circle(Index count, double noise, std::uint64_t seed) {
  const Samples moves = noise * normal_samples(2, count, seed);
  Rng rng(seed, Purpose("angles"));
  Samples samples(2, count);
  for (Index n = 0; n < count; ++n) {
    const double angle = 2 * std::numbers::pi * rng.uniform();
    samples.col(n) = Vector{{std::cos(angle), std::sin(angle)}} + moves.col(n);
  }
  return samples;
}

double distance_to_circle(const Samples& samples) {
  return (samples.colwise().norm().array() - 1).abs().mean();
}

// ||phi(x) - point||^2 up to what does not depend on x, for each sample.
Vector objective(const KernelModel& model, const Matrix& scores, const Samples& samples) {
  Matrix beta = model.coefficients * scores.transpose();
  beta.colwise() += model.mean_weights;
  return -2 * plain_gram(model.kernel, model.points, samples).cwiseProduct(beta).colwise().sum().transpose();
}

TEST(PreImage, IsExactForTheLinearKernel) {
  const Samples samples = normal_samples(5, 40, 1);
  const KernelModel whole = fit_kpca({.kind = KernelKind::linear}, samples, 5).model;
  const Samples fresh = 3 * normal_samples(5, 10, 2);
  EXPECT_LT(largest(whole.inverse(whole.transform(fresh)) - fresh), 1e-10);
  // With fewer components: the orthogonal projection that PCA makes.
  const KernelModel model = fit_kpca({.kind = KernelKind::linear}, samples, 2).model;
  const LinearModel pca = fit_pca(samples, 2);
  EXPECT_LT(largest(model.inverse(model.transform(fresh)) - pca.inverse(pca.transform(fresh))), 1e-10);
}

TEST(PreImage, FindsTrainingSamplesFromManyComponents) {
  const Samples samples = normal_samples(3, 50, 3);
  const FittedKpca fitted = fit_kpca({.gamma = 0.3}, samples, 49);
  EXPECT_LT(largest(fitted.model.inverse(fitted.scores) - samples), 1e-4);
}

TEST(PreImage, RemovesNoise) {
  const KernelModel model = fit_kpca({.gamma = 1}, circle(300, 0.05, 4), 5).model;
  const Samples noisy = circle(200, 0.2, 5);
  const Samples clean = model.inverse(model.transform(noisy));
  EXPECT_LT(distance_to_circle(clean), 0.5 * distance_to_circle(noisy));
}

TEST(PreImage, IsNeverWorseThanTheRegressionItStartsFrom) {
  const KernelModel model = fit_kpca({.gamma = 1}, circle(200, 0.1, 6), 6).model;
  const Matrix scores = model.transform(circle(100, 0.3, 7));
  const Samples start = ScoreRegression(model, {}, 1).predict(scores, 1);
  const Vector before = objective(model, scores, start);
  const Vector after = objective(model, scores, pre_images(model, scores, 1));
  EXPECT_TRUE((after.array() <= before.array() + 1e-12).all());
  EXPECT_LT(after.sum(), before.sum() - 1e-6);
  // A minimum: no small step in any direction is better.
  const Samples found = pre_images(model, scores, 1);
  for (const double angle : {0.0, 1.0, 2.0, 3.0, 4.0, 5.0}) {
    const Samples moved = found.colwise() + 1e-2 * Vector{{std::cos(angle), std::sin(angle)}};
    EXPECT_TRUE((objective(model, scores, moved).array() > after.array() - 1e-7).all()) << angle;
  }
}

TEST(PreImage, RegressionIsScikitLearnsKernelRidge) {
  const ModelFile file = load_model(model_fixture("numpy-format-1.npz"));
  const auto& model = std::get<KernelModel>(file.answer("shared"));
  const Matrix scores{{-0.42447411908716015, -0.14757494413078598},
                      {0.2496438902254958, -0.07480738273552823}};
  const Matrix expected{{-1.0182267644075853, -0.6940619123459718}, {0.868325403455833, 1.397312879700429}};
  EXPECT_LT(largest(ScoreRegression(model, {}, 1).predict(scores, 1).transpose() - expected), 1e-9);
}

TEST(PreImage, OtherKernelsComeCloseByRegression) {
  const Samples samples = normal_samples(2, 200, 8);
  for (const Kernel& kernel : {Kernel{.kind = KernelKind::laplacian, .gamma = 0.2},
                               Kernel{.kind = KernelKind::poly, .gamma = 0.5, .degree = 3, .coef0 = 1},
                               Kernel{.kind = KernelKind::sigmoid, .gamma = 0.05, .coef0 = 0}}) {
    const FittedKpca fitted = fit_kpca(kernel, samples, 3);
    const Samples back = fitted.model.inverse(fitted.scores);
    const double spread = (samples.colwise() - samples.rowwise().mean()).squaredNorm();
    EXPECT_LT((back - samples).squaredNorm(), 0.05 * spread) << describe(kernel);
  }
}

TEST(PreImage, LearnsFromADrawWhenThereAreManyPoints) {
  const FittedKpca fitted =
      fit_kpca({.kind = KernelKind::laplacian, .gamma = 0.2}, normal_samples(2, 300, 9), 3);
  const Samples all = pre_images(fitted.model, fitted.scores, 1);
  const Samples drawn = pre_images(fitted.model, fitted.scores, 1, {.max_regression_points = 150});
  EXPECT_GT(largest(all - drawn), 0);
  EXPECT_LT((all - drawn).norm(), 0.1 * all.norm());
}

TEST(PreImage, AbsurdScoresGiveFiniteSamples) {
  const FittedKpca fitted = fit_kpca({.gamma = 1}, circle(60, 0.05, 10), 4);
  Matrix scores(4, 4);
  scores << 1e6, 0, 0, 0, -1e6, 1e6, 0, 0, 0, 0, 0, 0, 1e300, 1e300, 1e300, 1e300;
  EXPECT_TRUE(fitted.model.inverse(scores).allFinite());
}

TEST(PreImage, SaysWhatIsWrongWithCoefficientsThatAreNotFinite) {
  KernelModel model = fit_kpca({.gamma = 1}, circle(30, 0.05, 4), 2).model;
  model.coefficients(3, 1) = std::numeric_limits<double>::quiet_NaN();
  try {
    model.inverse(Matrix::Zero(1, 2));
    FAIL() << "nothing was refused";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("check that the coefficients are finite"), std::string::npos)
        << error.what();
  }
}

TEST(PreImage, EqualPointsGiveThatPoint) {
  KernelModel model = fit_kpca({.gamma = 1}, normal_samples(2, 5, 11), 1).model;
  model.points.colwise() = Vector{{2, 3}};
  complete(model);
  EXPECT_LT(largest(model.inverse(Matrix::Zero(1, 1)) - Vector{{2, 3}}), 1e-12);
}

}  // namespace
}  // namespace choir
