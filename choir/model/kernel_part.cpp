#include "choir/model/kernel_part.h"

#include "choir/base/error.h"
#include "choir/kernel/centring.h"
#include "choir/kernel/comparison.h"
#include "choir/linalg/blas.h"
#include "choir/model/chunks.h"
#include "choir/model/consistency.h"

namespace choir {
namespace {

// ||x - p||^2, from samples and points about the same origin: N x T.
Matrix squared_distances(const SamplesView& samples, const Samples& points, int threads) {
  Matrix distances = -2 * multiply(samples.transpose(), points, threads);
  distances.colwise() += Vector(samples.colwise().squaredNorm().transpose());
  distances.rowwise() += points.colwise().squaredNorm();
  return distances.cwiseMax(0);
}

void require_sum(const KernelPart& part, const Matrix& contributions) {
  if (!part.has_answer()) {
    fail(
        ErrorCategory::InvalidArgument,
        "this part of the model only adds to sums: its party did not get the result; ask a part that has it");
  }
  if (contributions.cols() != part.numbers_a_sample()) {
    fail(ErrorCategory::InvalidArgument, "contributions have {} columns; those of this model have {}",
         contributions.cols(), part.numbers_a_sample());
  }
}

}  // namespace

Index KernelPart::numbers_a_sample() const {
  return points.cols() + (compares_distances(kernel.kind) ? 0 : 1);
}

Vector KernelPart::explained_variance_ratio() const { return variance_ratio(eigenvalues, trace); }

Vector KernelPart::explained_variance() const { return eigenvalues / static_cast<double>(training_samples); }

Matrix KernelPart::contribution(const SamplesView& samples, int threads) const {
  const SingleThreadedBlas scope;
  check_features(samples.rows(), features());
  const bool distances = compares_distances(kernel.kind);
  // Distances do not feel a shift, but far from the origin their digits cancel.
  Vector origin = Vector::Zero(features());
  if (distances) origin = points.rowwise().mean();
  const Samples shifted = points.colwise() - origin;
  if (mean.size() > 0) origin += mean;
  Matrix result(samples.cols(), numbers_a_sample());
  for_each_chunk(samples.cols(), points.cols(), [&](Index first, Index count) {
    Samples block = preprocessing.applied(samples, first, count);
    block.colwise() -= origin;
    auto compared = result.block(first, 0, count, points.cols());
    if (distances) {
      compared = squared_distances(block, shifted, threads);
    } else {
      compared = multiply(block.transpose(), shifted, threads);
      result.col(points.cols()).segment(first, count) = block.colwise().squaredNorm();
    }
  });
  return result;
}

PartedAnswer KernelPart::answer(const Matrix& contributions) const {
  const SingleThreadedBlas scope;
  require_sum(*this, contributions);
  const Index samples = contributions.rows(), count = points.cols();
  // Gossip may estimate a distance or a length of nearly nothing as less than that.
  Matrix values = contributions.leftCols(count);
  Vector own_lengths = Vector::Zero(samples);  // rbf does without
  if (compares_distances(kernel.kind)) {
    values = values.cwiseMax(0);
  } else {
    own_lengths = contributions.col(count).cwiseMax(0);
  }
  apply_function(kernel, values.size(), values.data());
  if (scales_by_lengths(kernel)) {
    values = length_factors(kernel, own_lengths).asDiagonal() * values *
             length_factors(kernel, lengths).asDiagonal();
  }
  const Centring centring(row_means, grand_mean);
  const Vector centred_lengths = centring.centred_diagonal(self_similarities(kernel, own_lengths), values);
  centring.centre_rows(values);
  PartedAnswer answer;
  answer.scores = values * coefficients;
  answer.errors = (centred_lengths - answer.scores.rowwise().squaredNorm()).cwiseMax(0);  // rounding
  return answer;
}

}  // namespace choir
