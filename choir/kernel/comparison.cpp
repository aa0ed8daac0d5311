#include "choir/kernel/comparison.h"

#include <cmath>

#include "choir/base/error.h"
#include "choir/kernel/simd/column_functions.h"

namespace choir {
namespace {

// k(x,x) from x'x, before normalisation.
double self_similarity(const Kernel& kernel, double squared_length) {
  switch (kernel.kind) {
    case KernelKind::rbf:
    case KernelKind::laplacian:
      return 1;
    case KernelKind::linear:
      return squared_length;
    case KernelKind::poly:
      return std::pow(kernel.gamma * squared_length + kernel.coef0, kernel.degree);
    case KernelKind::sigmoid:
      return std::tanh(kernel.gamma * squared_length + kernel.coef0);
    case KernelKind::cosine:
      return squared_length > 0 ? 1 : 0;
  }
  fail(ErrorCategory::Internal, "unknown kernel kind {}", static_cast<int>(kernel.kind));
}

void require_positive(const Kernel& kernel, Index sample, double self) {
  if (self > 0 && std::isfinite(self)) return;
  fail(ErrorCategory::BadData,
       "sample {} has k(x,x) = {} under the {} kernel, so the kernel cannot be normalized; remove the sample "
       "or turn normalisation off",
       sample, self, to_string(kernel.kind));
}

}  // namespace

bool compares_distances(KernelKind kind) { return kind == KernelKind::rbf; }

void apply_function(const Kernel& kernel, Index count, double* compared) {
  const ColumnFunctions<double>& run = column_functions<double>();
  switch (kernel.kind) {
    case KernelKind::rbf:
      run.laplacian(count, compared, kernel.gamma);  // exp(-gamma d) of whatever distance d is
      return;
    case KernelKind::poly:
      run.poly(count, compared, kernel.gamma, kernel.coef0, kernel.degree);
      return;
    case KernelKind::sigmoid:
      run.sigmoid(count, compared, kernel.gamma, kernel.coef0);
      return;
    case KernelKind::linear:
    case KernelKind::cosine:
      return;
    case KernelKind::laplacian:
      break;
  }
  fail(ErrorCategory::Internal, "the {} kernel is not a function of inner products or squared distances",
       to_string(kernel.kind));
}

Vector self_similarities(const Kernel& kernel, const Vector& squared_lengths) {
  Vector result(squared_lengths.size());
  for (Index i = 0; i < result.size(); ++i) {
    const double self = self_similarity(kernel, squared_lengths(i));
    if (kernel.normalized) require_positive(kernel, i, self);
    result(i) = kernel.normalized ? 1 : self;
  }
  return result;
}

bool scales_by_lengths(const Kernel& kernel) {
  const bool has_unit_diagonal = kernel.kind == KernelKind::rbf || kernel.kind == KernelKind::laplacian;
  return kernel.kind == KernelKind::cosine || (kernel.normalized && !has_unit_diagonal);
}

Vector length_factors(const Kernel& kernel, const Vector& squared_lengths) {
  Vector result(squared_lengths.size());
  for (Index i = 0; i < result.size(); ++i) {
    const double self = self_similarity(kernel, squared_lengths(i));
    if (kernel.normalized) require_positive(kernel, i, self);
    if (kernel.kind == KernelKind::cosine) {
      result(i) = self > 0 ? 1 / std::sqrt(squared_lengths(i)) : 0;
    } else {
      result(i) = 1 / std::sqrt(self);
    }
  }
  return result;
}

}  // namespace choir
