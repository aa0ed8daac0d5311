#include "choir/learn/consensus_kpca/neighborhood_kernel.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>

#include "choir/linalg/eigen.h"

namespace choir::consensus_kpca {
namespace {

// Of the smallest wanted eigenvalue: relative to the first alone, weak components would be left to chance.
constexpr double start_tolerance = 1e-3;
constexpr double first_tolerance = 1e-2;
constexpr double finest_double = 1e-12;
constexpr double finest_single = 1e-6;
// Single precision leaves more rounding.
constexpr double rank_cutoff_single = 1e-6;

template <class Scalar>
Matrix leading(const SymmetricOperatorOf<Scalar>& matrix, Index count) {
  auto top = top_eigenpairs(matrix, {.count = count, .tol = first_tolerance});
  const double finest = std::is_same_v<Scalar, double> ? finest_double : finest_single;
  const double share = static_cast<double>(top.values(count - 1) / top.values(0));
  const double tolerance = std::max(finest, start_tolerance * share);
  if (top.residual > tolerance) top = top_eigenpairs(matrix, {.count = count, .tol = tolerance});
  const Vector values = top.values.template cast<double>();
  const double smallest = 1e-12 * values(0);
  return top.vectors.template cast<double>() *
         values.cwiseMax(smallest).cwiseSqrt().cwiseInverse().asDiagonal();
}

}  // namespace

NeighborhoodKernel::NeighborhoodKernel(Matrix matrix, const std::vector<Index>& sizes, Precision precision)
    : begin_(sizes.size() + 1, 0) {
  std::partial_sum(sizes.begin(), sizes.end(), begin_.begin() + 1);
  const bool single = precision == Precision::float32;
  if (matrix.size() > 0) {
    const double norm = matrix.cwiseAbs().colwise().sum().maxCoeff();  // at least the first eigenvalue
    rounding_ =
        norm * (single ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon());
  }
  if (single) {
    values_.emplace<BlockTriangle>(matrix, begin_);
  } else {
    values_ = std::move(matrix);
  }
}

Matrix NeighborhoodKernel::times(const Matrix& coefficients) const {
  if (const auto* full = std::get_if<Matrix>(&values_)) return *full * coefficients;
  const MatrixOf<float> narrow = coefficients.cast<float>();
  MatrixOf<float> product(rows(), coefficients.cols());
  std::get<BlockTriangle>(values_).apply(narrow, product);
  return product.cast<double>();
}

Matrix NeighborhoodKernel::own_rows_times(Index member, const Matrix& coefficients) const {
  if (const auto* full = std::get_if<Matrix>(&values_)) {
    return full->block(0, begin(member), size(0), size(member)) * coefficients;
  }
  const Matrix block = std::get<BlockTriangle>(values_).block(member, 0).cast<double>();
  return block.transpose() * coefficients;
}

Matrix NeighborhoodKernel::leading_directions(Index count) const {
  if (const auto* full = std::get_if<Matrix>(&values_)) return leading<double>(DenseOperator(*full), count);
  return leading<float>(std::get<BlockTriangle>(values_), count);
}

Index NeighborhoodKernel::rank() const {
  const double cutoff = std::holds_alternative<Matrix>(values_) ? rank_cutoff : rank_cutoff_single;
  const Vector values = eigen_symmetric<double>(dense()).values;
  if (values.size() == 0 || !(values(0) > 0)) return 0;
  return (values.array() > cutoff * values(0)).count();
}

Matrix NeighborhoodKernel::dense() const {
  if (const auto* full = std::get_if<Matrix>(&values_)) return *full;
  return std::get<BlockTriangle>(values_).dense();
}

std::uint64_t NeighborhoodKernel::bytes_needed(const std::vector<Index>& sizes, Precision precision) {
  if (precision == Precision::float32) return BlockTriangle::bytes_needed(sizes);
  const auto rows = static_cast<std::uint64_t>(std::accumulate(sizes.begin(), sizes.end(), Index{0}));
  return rows * rows * sizeof(double);
}

}  // namespace choir::consensus_kpca
