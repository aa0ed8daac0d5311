#include "choir/model/kernel_model.h"

#include "choir/base/error.h"
#include "choir/kernel/gram.h"
#include "choir/linalg/blas.h"
#include "choir/model/chunks.h"
#include "choir/model/consistency.h"
#include "choir/model/overlap.h"
#include "choir/model/pre_image.h"

namespace choir {

Vector KernelModel::explained_variance_ratio() const { return variance_ratio(eigenvalues, trace); }

Vector KernelModel::explained_variance() const { return eigenvalues / static_cast<double>(training_samples); }

Matrix KernelModel::transform(const SamplesView& samples, int threads) const {
  Matrix scores(samples.cols(), components());
  for_each_piece(*this, samples, points.cols(), [&](Index first, const Samples& piece) {
    scores.middleRows(first, piece.cols()) =
        scores_from(*this, gram<double>(kernel, piece, points, {.threads = threads}));
  });
  return scores;
}

Vector KernelModel::score(const SamplesView& samples, int threads) const {
  Vector errors(samples.cols());
  for_each_piece(*this, samples, points.cols(), [&](Index first, const Samples& piece) {
    const Matrix block = gram<double>(kernel, piece, points, {.threads = threads});
    const Vector length = gram_diagonal<double>(kernel, piece) - 2 * (block * mean_weights) +
                          Vector::Constant(piece.cols(), mean_norm);
    const Vector captured = captured_lengths(*this, scores_from(*this, block));
    // Rounding may leave less than nothing.
    errors.segment(first, piece.cols()) = (length - captured).cwiseMax(0);
  });
  return errors;
}

Samples KernelModel::inverse(const Matrix& scores, int threads) const {
  const SingleThreadedBlas scope;
  check_scores(scores, components());
  Samples samples = pre_images(*this, scores, threads);
  preprocessing.undo(samples);
  return samples;
}

void complete(KernelModel& model, int threads) {
  const SingleThreadedBlas scope;
  const Index count = model.points.cols();
  Vector mean_values = Vector::Zero(count);  // <mu, phi(p_n)>: K_PP g
  if (!model.mean_weights.isZero(0)) {
    for_each_chunk(count, count, [&](Index first, Index size) {
      mean_values.segment(first, size).noalias() =
          gram<double>(model.kernel, model.points.middleCols(first, size), model.points,
                       {.threads = threads}) *
          model.mean_weights;
    });
  }
  model.offset = model.coefficients.transpose() * mean_values;
  model.mean_norm = model.mean_weights.dot(mean_values);
}

}  // namespace choir
