#include "choir/model/linear_part.h"

#include "choir/base/error.h"
#include "choir/linalg/pseudo_inverse.h"
#include "choir/model/chunks.h"
#include "choir/model/consistency.h"

namespace choir {

Vector LinearPart::explained_variance_ratio() const { return variance_ratio(eigenvalues, trace); }

Vector LinearPart::explained_variance() const { return eigenvalues / static_cast<double>(training_samples); }

Matrix LinearPart::contribution(const SamplesView& samples, int threads) const {
  Matrix result = Matrix::Zero(samples.cols() + components(), components() + 1);
  result.bottomLeftCorner(components(), components()) = loadings.transpose() * loadings;
  for_each_piece(*this, samples, features(), [&](Index first, Samples block) {
    block.colwise() -= mean;
    const Index count = block.cols();
    result.block(first, 0, count, components()) = multiply(loadings.transpose(), block, threads).transpose();
    result.col(components()).segment(first, count) = block.colwise().squaredNorm();
  });
  return result;
}

PartedAnswer answer_of(const Matrix& contributions) {
  const Index components = contributions.cols() - 1;
  const Index samples = contributions.rows() - components;
  if (components < 1 || samples < 0) {
    fail(ErrorCategory::InvalidArgument,
         "contributions are {} x {}; they need one column per component plus one, and one row per sample and "
         "per component",
         contributions.rows(), contributions.cols());
  }
  // Directions of which the parts that are there have next to nothing are left out.
  constexpr double cutoff = 1e-6;  // on squared lengths
  const auto basis =
      pseudo_inverse_basis<double>(contributions.bottomLeftCorner(components, components), cutoff);
  const Matrix coordinates = basis.coords(contributions.topLeftCorner(samples, components).transpose());
  const Vector captured = coordinates.colwise().squaredNorm();
  // A difference of two lengths that nobody has the parts of: it may round below zero.
  const Vector errors = (contributions.col(components).head(samples) - captured).cwiseMax(0);
  return {basis.lift(coordinates).transpose(), errors};
}

}  // namespace choir
