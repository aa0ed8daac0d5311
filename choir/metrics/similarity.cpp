#include "choir/metrics/similarity.h"

#include <algorithm>
#include <cmath>

#include "choir/base/error.h"
#include "choir/linalg/eigen.h"
#include "choir/linalg/svd.h"
#include "choir/metrics/subspace.h"

namespace choir {
namespace {

void require_block(const char* name, const Matrix& block, Index rows, Index columns) {
  if (block.rows() != rows || block.cols() != columns) {
    fail(ErrorCategory::InvalidArgument, "the Gram block {} is {} x {} but the coefficients need {} x {}",
         name, block.rows(), block.cols(), rows, columns);
  }
}

void require_matching(const GramBlocks& blocks, const MatrixView<double>& a, const MatrixView<double>& b) {
  if (a.size() == 0 || b.size() == 0) {
    fail(ErrorCategory::InvalidArgument,
         "there are no directions to compare: coefficients of {} x {} and {} x {}", a.rows(), a.cols(),
         b.rows(), b.cols());
  }
  require_block("a", blocks.a, a.rows(), a.rows());
  require_block("ab", blocks.ab, a.rows(), b.rows());
  require_block("b", blocks.b, b.rows(), b.rows());
}

// ||w_d||^2 for each column.
Vector squared_lengths(const char* name, const Matrix& gram, const MatrixView<double>& coefficients) {
  const Matrix images = gram * coefficients;
  const Vector squares = images.cwiseProduct(coefficients).colwise().sum();
  for (Index d = 0; d < squares.size(); ++d) {
    if (!(squares[d] > 0)) {
      fail(ErrorCategory::InvalidArgument, "direction {} of {} has length zero, so it has no similarity", d,
           name);
    }
  }
  return squares;
}

// T with (Phi c T) orthonormal: T = D U s^-1/2 where D scales the directions to length 1 and D c'Kc D = U s
// U'.
Matrix orthonormalising(const char* name, const Matrix& gram, const MatrixView<double>& coefficients) {
  const Vector scale = squared_lengths(name, gram, coefficients).cwiseSqrt().cwiseInverse();
  const Matrix products = coefficients.transpose() * (gram * coefficients);
  const auto pairs = eigen_symmetric<double>(scale.asDiagonal() * products * scale.asDiagonal());
  constexpr double dependent = 1e-12;
  if (pairs.values.minCoeff() < dependent * pairs.values[0]) {
    fail(ErrorCategory::InvalidArgument,
         "the {} directions of {} depend on each other, so they span less; omit the redundant ones",
         coefficients.cols(), name);
  }
  return scale.asDiagonal() * pairs.vectors * pairs.values.cwiseSqrt().cwiseInverse().asDiagonal();
}

}  // namespace

Vector direction_similarity(const GramBlocks& blocks, const MatrixView<double>& a,
                            const MatrixView<double>& b) {
  require_matching(blocks, a, b);
  if (a.cols() != b.cols()) {
    fail(ErrorCategory::InvalidArgument, "{} directions cannot be compared one by one with {}", a.cols(),
         b.cols());
  }
  const Vector lengths =
      squared_lengths("a", blocks.a, a).cwiseProduct(squared_lengths("b", blocks.b, b)).cwiseSqrt();
  const Matrix images = blocks.ab * b;
  const Vector products = images.cwiseProduct(a).colwise().sum();
  return products.cwiseAbs().cwiseQuotient(lengths).cwiseMin(1.0);
}

Vector feature_space_cosines(const GramBlocks& blocks, const MatrixView<double>& a,
                             const MatrixView<double>& b) {
  require_matching(blocks, a, b);
  const Matrix cross = orthonormalising("a", blocks.a, a).transpose() * (a.transpose() * (blocks.ab * b)) *
                       orthonormalising("b", blocks.b, b);
  return singular_values(cross).cwiseMin(1.0);
}

Vector feature_space_angles(const GramBlocks& blocks, const MatrixView<double>& a,
                            const MatrixView<double>& b) {
  return feature_space_cosines(blocks, a, b).array().acos();
}

double feature_space_captured_variance(const Matrix& gram, const MatrixView<double>& a,
                                       const VectorView<double>& eigenvalues) {
  require_matching({.a = gram, .ab = gram, .b = gram}, a, a);
  const double best = best_variance(eigenvalues, a.cols());
  // The sample covariance in feature space is Phi Phi' (over N, which cancels): tr T'c'K K c T.
  const Matrix scores = gram * (a * orthonormalising("a", gram, a));
  return scores.squaredNorm() / best;
}

}  // namespace choir
