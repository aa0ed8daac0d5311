#include "choir/learn/consensus_kpca/neighborhood_kernel.h"

#include <numeric>
#include <utility>

#include "choir/linalg/eigen.h"

namespace choir {
namespace {

// The start only has to be near: the iteration does the rest.
constexpr double start_tolerance = 1e-2;
// Single precision leaves more rounding.
constexpr double rank_cutoff_single = 1e-6;

template <class Scalar>
Matrix leading(const MatrixOf<Scalar>& matrix, Index count) {
  const auto top = top_eigenpairs(DenseOperatorOf<Scalar>(matrix), {.count = count, .tol = start_tolerance});
  const Vector values = top.values.template cast<double>();
  const double smallest = 1e-12 * values(0);
  return top.vectors.template cast<double>() *
         values.cwiseMax(smallest).cwiseSqrt().cwiseInverse().asDiagonal();
}

}  // namespace

NeighborhoodKernel::NeighborhoodKernel(Matrix matrix, const std::vector<Index>& sizes, Precision precision)
    : begin_(sizes.size() + 1, 0) {
  std::partial_sum(sizes.begin(), sizes.end(), begin_.begin() + 1);
  if (precision == Precision::float32) {
    values_ = MatrixOf<float>(matrix.cast<float>());
  } else {
    values_ = std::move(matrix);
  }
}

Matrix NeighborhoodKernel::times(const Matrix& coefficients) const {
  return std::visit(
      [&]<class Scalar>(const MatrixOf<Scalar>& matrix) -> Matrix {
        if constexpr (std::is_same_v<Scalar, double>) {
          return matrix * coefficients;
        } else {
          const MatrixOf<Scalar> narrow = coefficients.cast<Scalar>();
          const MatrixOf<Scalar> product = matrix * narrow;
          return product.template cast<double>();
        }
      },
      values_);
}

Matrix NeighborhoodKernel::own_rows_times(Index member, const Matrix& coefficients) const {
  return std::visit(
      [&](const auto& matrix) -> Matrix {
        const Matrix block = matrix.block(0, begin(member), size(0), size(member)).template cast<double>();
        return block * coefficients;
      },
      values_);
}

Matrix NeighborhoodKernel::leading_directions(Index count) const {
  return std::visit([&](const auto& matrix) { return leading(matrix, count); }, values_);
}

Index NeighborhoodKernel::rank() const {
  const double cutoff = std::holds_alternative<Matrix>(values_) ? rank_cutoff : rank_cutoff_single;
  const Vector values = eigen_symmetric<double>(dense()).values;
  if (values.size() == 0 || !(values(0) > 0)) return 0;
  return (values.array() > cutoff * values(0)).count();
}

Matrix NeighborhoodKernel::dense() const {
  return std::visit([](const auto& matrix) -> Matrix { return matrix.template cast<double>(); }, values_);
}

std::uint64_t NeighborhoodKernel::bytes_needed(Index rows, Precision precision) {
  const std::uint64_t entry = precision == Precision::float32 ? sizeof(float) : sizeof(double);
  return static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(rows) * entry;
}

}  // namespace choir
