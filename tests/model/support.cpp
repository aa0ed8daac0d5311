#include "model/support.h"

#include <cmath>

#include "choir/base/rng.h"
#include "choir/linalg/eigen.h"

namespace choir {

FittedKpca fit_kpca(const Kernel& kernel, const Samples& samples, Index components) {
  const Index n = samples.cols();
  const Matrix h = Matrix::Identity(n, n) - Matrix::Constant(n, n, 1.0 / static_cast<double>(n));
  const Matrix centred = h * plain_gram(kernel, samples, samples) * h;
  const EigenPairs pairs = eigen_symmetric(centred);
  const Vector values = pairs.values.head(components);
  const Matrix vectors = pairs.vectors.leftCols(components);
  FittedKpca fitted;
  fitted.model = {.kernel = kernel,
                  .preprocessing = {},
                  .points = samples,
                  .coefficients = h * vectors * values.cwiseSqrt().cwiseInverse().asDiagonal(),
                  .overlap = {},
                  .mean_weights = Vector::Constant(n, 1.0 / static_cast<double>(n)),
                  .offset = {},
                  .mean_norm = 0,
                  .eigenvalues = values,
                  .trace = centred.trace(),
                  .training_samples = n};
  complete(fitted.model);
  fitted.scores = vectors * values.cwiseSqrt().asDiagonal();
  return fitted;
}

LinearModel fit_pca(const Samples& samples, Index components) {
  const Vector mean = samples.rowwise().mean();
  const Samples centred = samples.colwise() - mean;
  const Matrix scatter = centred * centred.transpose();
  const EigenPairs pairs = eigen_symmetric(scatter);
  return {.preprocessing = {},
          .mean = mean,
          .components = pairs.vectors.leftCols(components),
          .eigenvalues = pairs.values.head(components),
          .trace = scatter.trace(),
          .training_samples = samples.cols()};
}

Matrix features_of(const Kernel& kernel, const RandomFeaturesOptions& random, const Samples& samples) {
  const auto drawn = RandomFeatures::draw(kernel, samples.rows(), random);
  const Index half = drawn.frequencies().cols();
  return Matrix::NullaryExpr(random.count, samples.cols(), [&](Index i, Index n) {
    const double angle = drawn.frequencies().col(i % half).dot(samples.col(n)) + drawn.phases()[i];
    return std::sqrt(2.0 / static_cast<double>(random.count)) * std::cos(angle);
  });
}

FeatureModel fit_features(const Kernel& kernel, const RandomFeaturesOptions& random, const Samples& samples,
                          Index components) {
  const Matrix psi = features_of(kernel, random, samples);
  const LinearModel pca = fit_pca(psi, components);
  const Matrix scores = (psi.colwise() - pca.mean).transpose() * pca.components;
  const Vector sample_mean = samples.rowwise().mean();
  const Matrix slopes =
      (samples.colwise() - sample_mean) * scores * pca.eigenvalues.cwiseInverse().asDiagonal();
  return {.kernel = kernel,
          .random_features = random,
          .preprocessing = {},
          .mean = pca.mean,
          .directions = pca.components,
          .sample_mean = sample_mean,
          .sample_slopes = slopes,
          .eigenvalues = pca.eigenvalues,
          .trace = pca.trace,
          .training_samples = samples.cols()};
}

Samples rows_of(const Samples& samples, const Columns& columns) { return samples(columns, Eigen::all); }

namespace {

Preprocessing preprocessing_of(const Preprocessing& whole, const Columns& own) {
  Preprocessing part = whole;
  if (whole.standardize == Standardize::zscore) {
    part.mean = whole.mean(own);
    part.scale = whole.scale(own);
  }
  return part;
}

void give_answer(const KernelModel& model, KernelPart& part) {
  part.row_means = plain_gram(model.kernel, model.points, model.points).rowwise().mean();
  part.grand_mean = part.row_means.mean();
  part.coefficients = model.coefficients;
  part.lengths = model.points.colwise().squaredNorm();
  part.eigenvalues = model.eigenvalues;
  part.trace = model.trace;
}

}  // namespace

std::vector<LinearPart> cut_into_parts(const LinearModel& model, const std::vector<Columns>& columns) {
  std::vector<LinearPart> parts;
  for (const Columns& own : columns) {
    parts.push_back({.preprocessing = preprocessing_of(model.preprocessing, own),
                     .columns = own,
                     .mean = model.mean(own),
                     .loadings = model.components(own, Eigen::all),
                     .eigenvalues = model.eigenvalues,
                     .trace = model.trace,
                     .training_samples = model.training_samples});
  }
  return parts;
}

std::vector<KernelPart> cut_into_parts(const KernelModel& model, const std::vector<Columns>& columns) {
  std::vector<KernelPart> parts;
  for (const Columns& own : columns) {
    KernelPart part;
    part.kernel = model.kernel;
    part.preprocessing = preprocessing_of(model.preprocessing, own);
    part.columns = own;
    part.points = rows_of(model.points, own);
    part.training_samples = model.training_samples;
    parts.push_back(part);
  }
  give_answer(model, parts.front());
  return parts;
}

KernelModel oblique(KernelModel model, const Matrix& mixing) {
  model.coefficients = Matrix(model.coefficients * mixing);
  model.overlap = mixing.transpose() * mixing;
  model.eigenvalues = Vector::Ones(mixing.cols());
  complete(model);
  return model;
}

KernelMachine any_machine(const std::string& loss, const std::vector<std::int64_t>& classes, Index points) {
  KernelMachine machine;
  machine.kernel.gamma = 0.3;
  machine.points = normal_samples(3, points, 31);
  machine.weights = normal_samples(points, classes.empty() ? 1 : std::ssize(classes), 32);
  machine.loss = loss;
  machine.classes = classes;
  machine.training_samples = 100;
  return machine;
}

namespace {

ClusterModel any_clusters(Index dimension) {
  ClusterModel model;
  model.kernel.gamma = 0.3;
  model.sample_features = 3;
  model.centroids = normal_samples(dimension, 4, 41);
  model.counts = Vector{{30, 0, 50, 20}};
  model.training_samples = 100;
  return model;
}

}  // namespace

ClusterModel landmark_clusters() {
  ClusterModel model = any_clusters(2);
  model.points = normal_samples(3, 6, 42);
  model.projection = normal_samples(6, 2, 43);
  return model;
}

ClusterModel staged_clusters() {
  ClusterModel model = any_clusters(3);
  const auto stage = [](Index count, double eta, Index before, Index after) {
    return FeatureStage{.random = {.count = count, .seed = 50 + static_cast<std::uint64_t>(count)},
                        .eta = eta,
                        .map = normal_samples(count + before, after, 44)};
  };
  model.stages = {stage(8, 1, 0, 2), stage(7, 0.75, 2, 4), stage(10, 0.5, 4, 3)};
  return model;
}

}  // namespace choir
