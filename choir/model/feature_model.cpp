#include "choir/model/feature_model.h"

#include <functional>

#include "choir/base/error.h"
#include "choir/linalg/blas.h"
#include "choir/model/chunks.h"
#include "choir/model/consistency.h"
#include "choir/model/plane.h"

namespace choir {
namespace {

// Calls work(first, count, psi) with the features of each piece of the samples, m x count.
void for_each_block(const FeatureModel& model, const SamplesView& samples, int threads,
                    const std::function<void(Index first, Index count, Matrix psi)>& work) {
  const auto random = RandomFeatures::draw(model.kernel, model.features(), model.random_features);
  const Index width = model.features() + model.random_features.count;
  for_each_piece(model, samples, width, [&](Index first, const Samples& piece) {
    work(first, piece.cols(), random.transform(piece, threads));
  });
}

}  // namespace

Vector FeatureModel::explained_variance_ratio() const { return variance_ratio(eigenvalues, trace); }

Vector FeatureModel::explained_variance() const {
  return eigenvalues / static_cast<double>(training_samples);
}

Matrix FeatureModel::transform(const SamplesView& samples, int threads) const {
  Matrix scores(samples.cols(), components());
  for_each_block(*this, samples, threads, [&](Index first, Index count, Matrix psi) {
    scores.middleRows(first, count) = plane_coordinates(mean, directions, std::move(psi), threads);
  });
  return scores;
}

Vector FeatureModel::score(const SamplesView& samples, int threads) const {
  Vector errors(samples.cols());
  for_each_block(*this, samples, threads, [&](Index first, Index count, Matrix psi) {
    errors.segment(first, count) = plane_distances(mean, directions, std::move(psi), threads);
  });
  return errors;
}

Samples FeatureModel::inverse(const Matrix& scores, int threads) const {
  if (sample_slopes.isZero(0)) {
    throw Error(ErrorCategory::InvalidArgument,
                "this model makes no samples of scores: it was fitted under differential privacy, or at a "
                "node with so "
                "few samples that they would show; use scores only, or fit with landmarks");
  }
  const SingleThreadedBlas scope;
  check_scores(scores, components());
  Samples samples = plane_points(sample_mean, sample_slopes, scores, threads);
  preprocessing.undo(samples);
  return samples;
}

}  // namespace choir
