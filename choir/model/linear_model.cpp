#include "choir/model/linear_model.h"

#include "choir/linalg/blas.h"
#include "choir/model/chunks.h"
#include "choir/model/consistency.h"
#include "choir/model/plane.h"

namespace choir {

Vector LinearModel::explained_variance_ratio() const { return variance_ratio(eigenvalues, trace); }

Vector LinearModel::explained_variance() const { return eigenvalues / static_cast<double>(training_samples); }

Matrix LinearModel::transform(const SamplesView& samples, int threads) const {
  Matrix scores(samples.cols(), components.cols());
  for_each_piece(*this, samples, features(), [&](Index first, const Samples& piece) {
    scores.middleRows(first, piece.cols()) = plane_coordinates(mean, components, piece, threads);
  });
  return scores;
}

Vector LinearModel::score(const SamplesView& samples, int threads) const {
  Vector errors(samples.cols());
  for_each_piece(*this, samples, features(), [&](Index first, const Samples& piece) {
    errors.segment(first, piece.cols()) = plane_distances(mean, components, piece, threads);
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
