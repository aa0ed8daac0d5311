#include "choir/model/kernel_model.h"

#include <vector>

#include "model/support.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

const std::vector<Kernel> kernels = {{.kind = KernelKind::rbf, .gamma = 0.2},
                                     {.kind = KernelKind::linear},
                                     {.kind = KernelKind::poly, .gamma = 0.3, .degree = 3, .coef0 = 1},
                                     {.kind = KernelKind::laplacian, .gamma = 0.1},
                                     {.kind = KernelKind::sigmoid, .gamma = 0.01, .coef0 = 0.1},
                                     {.kind = KernelKind::cosine}};

// Coordinates in which (gamma x'y + coef0)^2, or x'y, is a plain inner product: features x N.
Matrix explicit_features(const Kernel& kernel, const Samples& x) {
  if (kernel.kind == KernelKind::linear) return x;
  const Index m = x.rows();
  Matrix phi(m * m + m + 1, x.cols());
  for (Index n = 0; n < x.cols(); ++n) {
    for (Index i = 0; i < m; ++i)
      for (Index j = 0; j < m; ++j) phi(i * m + j, n) = kernel.gamma * x(i, n) * x(j, n);
    phi.col(n).segment(m * m, m) = std::sqrt(2 * kernel.gamma * kernel.coef0) * x.col(n);
    phi(m * m + m, n) = kernel.coef0;
  }
  return phi;
}

const std::vector<Kernel> explicit_kernels = {
    {.kind = KernelKind::linear}, {.kind = KernelKind::poly, .gamma = 0.3, .degree = 2, .coef0 = 0.7}};

TEST(KernelModel, TransformOfTheTrainingSamplesIsTheirScores) {
  const Samples samples = normal_samples(5, 60, 1);
  for (const Kernel& kernel : kernels) {
    const FittedKpca fitted = fit_kpca(kernel, samples, 3);
    EXPECT_LT(largest(fitted.model.transform(samples) - fitted.scores), 1e-10 * largest(fitted.scores))
        << describe(kernel);
  }
}

TEST(KernelModel, AnswersEqualThoseOfExplicitFeatures) {
  const Samples samples = normal_samples(4, 50, 2), fresh = normal_samples(4, 20, 3);
  for (const Kernel& kernel : explicit_kernels) {
    KernelModel model = fit_kpca(kernel, samples, 3).model;
    // The training mean, a mean of three landmarks only, none.
    for (const Index landmarks : {Index{50}, Index{3}, Index{0}}) {
      model.mean_weights.setZero();
      model.mean_weights.head(landmarks).setConstant(1.0 / static_cast<double>(landmarks));
      complete(model);
      const Matrix phi = explicit_features(kernel, samples);
      const Vector mu = phi * model.mean_weights;
      const Matrix w = phi * model.coefficients;
      const Matrix centred = explicit_features(kernel, fresh).colwise() - mu;
      const Matrix scores = centred.transpose() * w;
      const Vector errors = (centred - w * scores.transpose()).colwise().squaredNorm();
      const double size = centred.squaredNorm();
      EXPECT_LT(largest(model.offset - w.transpose() * mu), 1e-10 * size);
      EXPECT_NEAR(model.mean_norm, mu.squaredNorm(), 1e-10 * size);
      EXPECT_LT(largest(model.transform(fresh) - scores), 1e-10 * size) << describe(kernel);
      EXPECT_LT(largest(model.score(fresh) - errors), 1e-10 * size) << describe(kernel);
    }
  }
}

TEST(KernelModel, TrainingErrorsAddUpToTheVarianceLeftOut) {
  const Samples samples = normal_samples(5, 60, 4);
  const KernelModel model = fit_kpca({.gamma = 0.2}, samples, 4).model;
  EXPECT_NEAR(model.score(samples).sum(), model.trace - model.eigenvalues.sum(), 1e-10);
  EXPECT_GE(fit_kpca({.gamma = 0.2}, samples, 59).model.score(samples).minCoeff(), 0);
}

TEST(KernelModel, OutliersScoreHigher) {
  const KernelModel model = fit_kpca({.gamma = 0.2}, normal_samples(3, 80, 5), 6).model;
  Samples fresh = normal_samples(3, 2, 6);
  fresh.col(1).array() += 20;
  const Vector errors = model.score(fresh);
  EXPECT_GT(errors[1], 2 * errors[0]);
}

TEST(KernelModel, ManySamplesAreTakenInPieces) {
  const KernelModel model = fit_kpca({.gamma = 0.3}, normal_samples(2, 6, 7), 2).model;
  const Samples samples = normal_samples(2, 9000, 8);  // more than one piece of 8192
  const Matrix scores = model.transform(samples);
  const Vector errors = model.score(samples);
  for (const Index at : {Index{0}, Index{8191}, Index{8192}, Index{8999}}) {
    const Samples one = samples.col(at);
    EXPECT_LT(largest(scores.row(at) - model.transform(one)), 1e-14);
    EXPECT_NEAR(errors[at], model.score(one)[0], 1e-14);
  }
  EXPECT_EQ(model.transform(Samples(2, 0)).rows(), 0);
}

TEST(KernelModel, BitsDoNotDependOnThreads) {
  KernelModel model = fit_kpca({.gamma = 0.3}, normal_samples(4, 40, 9), 3).model;
  const Samples samples = normal_samples(4, 700, 10);
  const Matrix scores = model.transform(samples, 1);
  EXPECT_EQ(scores, model.transform(samples, 4));
  EXPECT_EQ(model.score(samples, 1), model.score(samples, 4));
  EXPECT_EQ(model.inverse(scores, 1), model.inverse(scores, 4));
  const Vector offset = model.offset;
  complete(model, 4);
  EXPECT_EQ(model.offset, offset);
}

TEST(KernelModel, PreprocessesNewSamplesLikeTheOldOnes) {
  const Samples raw = 255 * normal_samples(4, 30, 11);
  FittedKpca fitted = fit_kpca({.gamma = 0.2}, raw / 255, 2);
  fitted.model.preprocessing.divide = 255;
  EXPECT_LT(largest(fitted.model.transform(raw) - fitted.scores), 1e-12);
}

TEST(KernelModel, ExplainsVariance) {
  const KernelModel model = fit_kpca({.gamma = 0.2}, normal_samples(3, 30, 12), 29).model;
  EXPECT_NEAR(model.explained_variance_ratio().sum(), 1, 1e-10);
  EXPECT_NEAR(model.explained_variance()[0], model.eigenvalues[0] / 30, 1e-15);
}

TEST(KernelModel, RefusesOtherWidths) {
  const KernelModel model = fit_kpca({.gamma = 0.2}, normal_samples(3, 30, 12), 2).model;
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [&] { model.transform(Samples::Zero(4, 2)); }),
              HasSubstr("the samples have 4 features but the model was fitted on 3"));
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [&] { model.inverse(Matrix::Zero(5, 3)); }),
              HasSubstr("the scores have 3 columns but the model has 2 components"));
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [&] { model.inverse(Matrix::Constant(1, 2, NAN)); }),
              HasSubstr("scores has a NaN"));
}

}  // namespace
}  // namespace choir
