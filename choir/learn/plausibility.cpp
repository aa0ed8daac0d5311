#include "choir/learn/plausibility.h"

#include <cmath>
#include <limits>

#include "choir/base/error.h"

namespace choir {
namespace {

constexpr double rounding = 1e-6;  // of sums of many numbers, by far

}  // namespace

void require_possible(bool possible, NodeId from, std::string_view what, std::string_view why) {
  if (possible) return;
  fail(ErrorCategory::PeerLost,
       "node {} sent {} that no samples have: {}; it lies or is broken, so look at what runs there or start "
       "again "
       "without it",
       from, what, why);
}

Eigen::Map<const Matrix> matrix_from(const Received& received, std::size_t index, Index rows, Index columns,
                                     std::string_view what) {
  const auto arrays = received.message.arrays();
  require_possible(index < arrays.size() && arrays[index].type() == ArrayType::float64, received.from, what,
                   "an array is missing");
  const Eigen::Map<const Matrix> matrix = arrays[index].matrix();
  require_possible(
      matrix.rows() == rows && matrix.cols() == columns, received.from, what,
      fmt::format("it is {} x {} where {} x {} was expected", matrix.rows(), matrix.cols(), rows, columns));
  require_possible(matrix.allFinite(), received.from, what, "it is not finite");
  return matrix;
}

bool is_mass(double value) { return value >= 0 && std::isfinite(value); }

bool is_at_most(double value, double bound) { return value <= bound + rounding * std::abs(bound); }

bool fit_the_kernel(double squares, double samples, double largest_square) {
  return !std::isfinite(largest_square) || is_at_most(squares, samples * largest_square);
}

double largest_square(const Kernel& kernel) {
  switch (kernel.kind) {
    case KernelKind::rbf:
    case KernelKind::laplacian:
    case KernelKind::cosine:
      return 1;
    case KernelKind::poly:
      return kernel.normalized ? 1 : std::numeric_limits<double>::infinity();
    case KernelKind::linear:   // methods take the samples themselves
    case KernelKind::sigmoid:  // no inner product
      return std::numeric_limits<double>::infinity();
  }
  fail(ErrorCategory::Internal, "there is no kernel {}", static_cast<int>(kernel.kind));
}

}  // namespace choir
