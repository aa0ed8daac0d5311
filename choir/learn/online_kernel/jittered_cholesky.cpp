#include "choir/learn/online_kernel/jittered_cholesky.h"

#include <algorithm>

#include "choir/base/error.h"

namespace choir::online_kernel {
namespace {

Cholesky factor_of(Matrix gram, double jitter) {
  gram.diagonal().array() += jitter;
  return cholesky(gram, ConditionEstimate::no);
}

}  // namespace

JitteredCholesky jittered_cholesky(const Matrix& gram, double jitter) {
  JitteredCholesky result{.factor = factor_of(gram, jitter), .jitter = jitter};
  if (result.factor.positive_definite) return result;
  const double most = std::max(gram.diagonal().maxCoeff(), jitter);
  // The diagnosis knows what is missing, so that failures in between need not be computed.
  const double needed = result.jitter + result.factor.jitter;
  while (result.jitter < needed && result.jitter < most) result.jitter *= 10;
  result.factor = factor_of(gram, result.jitter);
  if (!result.factor.positive_definite) {
    fail(ErrorCategory::Numerical,
         "the kernel matrix of {} atoms is not positive definite even with {:.3g} on its diagonal; choose a "
         "positive definite kernel, such as rbf",
         gram.rows(), result.jitter);
  }
  return result;
}

}  // namespace choir::online_kernel
