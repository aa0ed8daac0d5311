#include "choir/model/linear_model.h"

#include "choir/linalg/blas.h"
#include "choir/model/chunks.h"
#include "choir/model/consistency.h"
#include "choir/model/plane.h"

namespace choir {

Vector LinearModel::explained_variance_ratio() const { return variance_ratio(eigenvalues, trace); }

Vector LinearModel::explained_variance() const { return eigenvalues / static_cast<double>(training_samples); }

Matrix LinearModel::transform(const SamplesView& samples, int threads) const {
  const SingleThreadedBlas scope;
  check_features(samples.rows(), features());
  Matrix scores(samples.cols(), components.cols());
  for_each_chunk(samples.cols(), features(), [&](Index first, Index count) {
    scores.middleRows(first, count) =
        plane_coordinates(mean, components, preprocessing.applied(samples, first, count), threads);
  });
  return scores;
}

Vector LinearModel::score(const SamplesView& samples, int threads) const {
  const SingleThreadedBlas scope;
  check_features(samples.rows(), features());
  Vector errors(samples.cols());
  for_each_chunk(samples.cols(), features(), [&](Index first, Index count) {
    errors.segment(first, count) =
        plane_distances(mean, components, preprocessing.applied(samples, first, count), threads);
  });
  return errors;
}

Samples LinearModel::inverse(const Matrix& scores, int threads) const {
  const SingleThreadedBlas scope;
  check_scores(scores, components.cols());
  Samples samples = plane_points(mean, components, scores, threads);
  preprocessing.undo(samples);
  return samples;
}

}  // namespace choir
