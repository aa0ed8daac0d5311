#include "choir/learn/consensus_kpca/resemblance.h"

#include <utility>

#include "choir/base/error.h"
#include "choir/learn/agreement/agreement.h"

namespace choir::consensus_kpca {
namespace {

constexpr double least_resemblance = 1e-6;  // of two samples, on average

}  // namespace

Resemblance resemblance_of(const Matrix& gram) {
  const Vector scales = gram.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  const double all = scales.dot(gram * scales);
  const auto n = static_cast<double>(gram.rows());
  return {.sum = all - n, .pairs = n * (n - 1)};
}

bool is_identity(const Kernel& kernel, const Resemblance& resemblance) {
  const bool falls_with_distance = kernel.kind == KernelKind::rbf || kernel.kind == KernelKind::laplacian;
  return falls_with_distance && resemblance.pairs > 0 &&
         resemblance.sum / resemblance.pairs < least_resemblance;
}

Task<void> require_resemblance(Node& node, SecureSums& sums, Kernel kernel, SamplesMap own,
                               const Matrix& gram) {
  const Resemblance mine = resemblance_of(gram);
  Matrix numbers(2, 1);
  numbers << mine.sum, mine.pairs;
  const Matrix sum = co_await secure_sum(node, sums, std::move(numbers));
  const Resemblance all{.sum = sum(0, 0), .pairs = sum(1, 0)};
  if (!is_identity(kernel, all)) co_return;
  const GammaSpec median{.rule = GammaRule::median};
  const double suggestion = co_await agreed_gamma(node, median, own);
  fail(ErrorCategory::InvalidArgument,
       "gamma {} is so large that no sample resembles another (two samples of a node have a kernel value of "
       "{:.1e} on average): every direction explains the same variance and components are meaningless; the "
       "median distance suggests gamma {:.3g}",
       kernel.gamma, all.sum / all.pairs, suggestion);
}

}  // namespace choir::consensus_kpca
