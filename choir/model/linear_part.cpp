#include "choir/model/linear_part.h"

#include "choir/base/error.h"
#include "choir/linalg/blas.h"
#include "choir/model/chunks.h"
#include "choir/model/consistency.h"

namespace choir {

Vector LinearPart::explained_variance_ratio() const { return variance_ratio(eigenvalues, trace); }

Vector LinearPart::explained_variance() const { return eigenvalues / static_cast<double>(training_samples); }

Matrix LinearPart::contribution(const Samples& samples, int threads) const {
  const SingleThreadedBlas scope;
  check_features(samples.rows(), features());
  Matrix result(samples.cols(), components() + 1);
  for_each_chunk(samples.cols(), features(), [&](Index first, Index count) {
    Samples block = preprocessing.applied(samples, first, count);
    block.colwise() -= mean;
    result.block(first, 0, count, components()) = multiply(loadings.transpose(), block, threads).transpose();
    result.col(components()).segment(first, count) = block.colwise().squaredNorm();
  });
  return result;
}

PartedAnswer answer_of(const Matrix& contributions) {
  const Index components = contributions.cols() - 1;
  if (components < 1)
    fail(ErrorCategory::InvalidArgument,
         "contributions have {} columns; they have one for each component and one more",
         contributions.cols());
  const Matrix scores = contributions.leftCols(components);
  // A difference of two lengths that nobody has the parts of: it may round below zero.
  const Vector errors = (contributions.col(components) - scores.rowwise().squaredNorm()).cwiseMax(0);
  return {scores, errors};
}

}  // namespace choir
