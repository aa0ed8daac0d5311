#include "choir/model/linear_model.h"

#include "choir/linalg/blas.h"
#include "choir/model/chunks.h"
#include "choir/model/consistency.h"

namespace choir {
namespace {

// A piece of the samples, preprocessed, from the mean.
Samples centred(const LinearModel& model, const Samples& samples, Index first, Index count) {
  Samples piece = samples.middleCols(first, count);
  model.preprocessing.apply(piece);
  piece.colwise() -= model.mean;
  return piece;
}

}  // namespace

Vector LinearModel::explained_variance_ratio() const { return variance_ratio(eigenvalues, trace); }

Vector LinearModel::explained_variance() const { return eigenvalues / static_cast<double>(training_samples); }

Matrix LinearModel::transform(const Samples& samples, int threads) const {
  const SingleThreadedBlas scope;
  check_features(samples.rows(), features());
  Matrix scores(samples.cols(), components.cols());
  for_each_chunk(samples.cols(), features(), [&](Index first, Index count) {
    const Samples piece = centred(*this, samples, first, count);
    scores.middleRows(first, count) = multiply(components.transpose(), piece, threads).transpose();
  });
  return scores;
}

Vector LinearModel::score(const Samples& samples, int threads) const {
  const SingleThreadedBlas scope;
  check_features(samples.rows(), features());
  Vector errors(samples.cols());
  for_each_chunk(samples.cols(), features(), [&](Index first, Index count) {
    // The length of what is left over, rather than the difference of two lengths: small errors keep their
    // digits.
    Samples piece = centred(*this, samples, first, count);
    piece -= multiply(components, multiply(components.transpose(), piece, threads), threads);
    errors.segment(first, count) = piece.colwise().squaredNorm();
  });
  return errors;
}

Samples LinearModel::inverse(const Matrix& scores, int threads) const {
  const SingleThreadedBlas scope;
  check_scores(scores, components.cols());
  Samples samples = multiply(components, scores.transpose(), threads);
  samples.colwise() += mean;
  preprocessing.undo(samples);
  return samples;
}

}  // namespace choir
