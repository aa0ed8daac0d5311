#include "choir/learn/oneshot_kpca/factors.h"

#include <algorithm>

#include "choir/kernel/gram.h"
#include "choir/learn/linear_start.h"
#include "choir/linalg/eigen.h"
#include "choir/linalg/low_rank.h"

namespace choir::oneshot_kpca {
namespace {

constexpr double rounding = 1e-14;  // eigenvalues below this share of the first are none
// Up to this size all eigenpairs of a kernel matrix are computed; beyond it the leading ones.
constexpr Index largest_dense = 600;

struct Pairs {
  Matrix vectors;
  Vector values;
};

// How many of these eigenvalues go; eq. 4 with a floor.
Index wanted_of(const Vector& values, const FactorSize& size) {
  const Index there = values.size();
  if (there == 0) return 0;
  if (size.count) return std::min(*size.count, there);
  const Index above = (values.array() > size.above.value_or(size.epsilon * values(0))).count();
  return std::min(std::max(above, size.least), there);
}

// The factor as it is sent, and the first eigenvalue that is not.
KernelFactor cut(const Pairs& pairs, Index wanted, double trace) {
  const double dropped = wanted < pairs.values.size() ? std::max(0.0, pairs.values(wanted)) : 0;
  return {.vectors = pairs.vectors.leftCols(wanted),
          .values = pairs.values.head(wanted).cwiseMax(0),
          .dropped = dropped,
          .trace = trace};
}

Pairs without_rounding(const EigenPairs& pairs) {
  const Index rank = pairs.values.size() > 0 && pairs.values(0) > 0
                         ? (pairs.values.array() > rounding * pairs.values(0)).count()
                         : Index{0};
  return {.vectors = pairs.vectors.leftCols(rank), .values = pairs.values.head(rank)};
}

Pairs all_pairs(Matrix symmetric) { return without_rounding(eigen_symmetric<double>(std::move(symmetric))); }

// What eq. 4 leaves out is about epsilon: a thousandth of that is exact beside it.
double accuracy_of(const FactorSize& size) {
  return size.count ? size.tol : std::max(size.tol, 1e-3 * size.epsilon);
}

// Eigenpairs of an operator until eq. 4 is content, each attempt from what the last one found.
KernelFactor leading_factor(const SymmetricOperator& op, double trace, const FactorSize& size, Matrix start) {
  Index count = size.count.value_or(size.least) + 1;
  TopEigenOptions solver{
      .count = 1, .tol = accuracy_of(size), .max_restarts = size.max_iter, .start = std::move(start)};
  while (true) {
    solver.count = std::min(count, op.rows());
    Pairs found = without_rounding(top_eigenpairs(op, solver));
    const Index wanted = wanted_of(found.values, size);
    if (wanted < found.values.size() || found.values.size() < solver.count || solver.count == op.rows()) {
      return cut(found, wanted, trace);
    }
    solver.start = std::move(found.vectors);
    count *= 2;
  }
}

// A kernel matrix that is not centred begins with about the constant vector.
Matrix start_of(const MatrixView<double>& features, const FactorSize& size) {
  constexpr Index beyond = 4;
  const Index columns = std::min(features.rows(), size.count.value_or(size.least) + beyond);
  Matrix start(features.cols(), columns + 1);
  start << Vector::Ones(features.cols()), linear_start<double>(features, columns, 0);
  return start;
}

// Twice: far from zero a mean is known to its last digit only, and a constant feature must end as nothing.
Matrix centred(const MatrixView<double>& features) {
  Matrix z = features.colwise() - features.rowwise().mean();
  z.colwise() -= z.rowwise().mean().eval();
  return z;
}

// Of Z'Z, by the smaller side of Z.
KernelFactor scatter_factor(const Matrix& z, const FactorSize& size) {
  const double trace = z.squaredNorm();
  if (z.rows() < z.cols()) {
    const LowRank pairs = low_rank_of_columns(z.transpose(), {.cutoff = rounding});
    return cut({pairs.U, pairs.L}, wanted_of(pairs.L, size), trace);
  }
  const Matrix products = z.transpose() * z;
  if (z.cols() > largest_dense) return leading_factor(DenseOperator(products), trace, size, {});
  const Pairs pairs = all_pairs(products);
  return cut(pairs, wanted_of(pairs.values, size), trace);
}

}  // namespace

KernelFactor kernel_factor(const Kernel& kernel, const MatrixView<double>& features, const FactorSize& size) {
  if (kernel.kind == KernelKind::linear) return scatter_factor(centred(features), size);
  const Matrix z = centred(features);
  const auto matrix = TriangularGram<double>::compute(kernel, z, {.threads = size.threads});
  const double trace = matrix.diagonal().sum();
  if (z.cols() > largest_dense) return leading_factor(matrix, trace, size, start_of(z, size));
  const Pairs pairs = all_pairs(matrix.dense());
  return cut(pairs, wanted_of(pairs.values, size), trace);
}

DistanceFactor distance_factor(const MatrixView<double>& features, const FactorSize& size) {
  const Matrix z = centred(features);
  FactorSize coordinates = size;  // the residuals take the place of one column
  if (size.count) coordinates.count = std::max<Index>(1, *size.count - 1);
  const KernelFactor factor = scatter_factor(z, coordinates);
  DistanceFactor result;
  result.coordinates = factor.vectors * factor.values.cwiseSqrt().asDiagonal();
  const Vector lengths = z.colwise().squaredNorm();
  result.residuals = (lengths - result.coordinates.rowwise().squaredNorm()).cwiseMax(0);
  result.dropped = factor.dropped;
  // Nothing but rounding is left where all of the scatter is sent.
  if (factor.dropped == 0) result.residuals.setZero();
  const Vector mean = features.rowwise().mean();
  result.mean_products = features.transpose() * mean;
  result.mean_norm = mean.squaredNorm();
  result.entries = entry_moments(features);
  return result;
}

KernelFactor leading_part(const KernelFactor& factor, double share) {
  if (factor.dropped == 0) return factor;
  const Index kept = static_cast<Index>(share * static_cast<double>(factor.values.size()));
  KernelFactor part = factor;
  part.vectors = factor.vectors.leftCols(kept);
  part.values = factor.values.head(kept);
  if (kept < factor.values.size()) part.dropped = factor.values(kept);
  return part;
}

DistanceFactor leading_part(const DistanceFactor& factor, double share) {
  if (factor.dropped == 0) return factor;
  const Index all = factor.coordinates.cols();
  const Index kept = static_cast<Index>(share * static_cast<double>(all));
  DistanceFactor part = factor;
  part.coordinates = factor.coordinates.leftCols(kept);
  part.residuals += factor.coordinates.rightCols(all - kept).rowwise().squaredNorm();
  if (kept < all) part.dropped = factor.coordinates.col(kept).squaredNorm();
  return part;
}

Index numbers_in(const KernelFactor& factor) { return factor.vectors.size() + factor.values.size() + 2; }

Index numbers_in(const DistanceFactor& factor) {
  return factor.coordinates.size() + factor.residuals.size() + factor.mean_products.size() + 5;
}

}  // namespace choir::oneshot_kpca
