#include "choir/learn/oneshot_kpca/options.h"

#include <cmath>

#include "choir/base/error.h"
#include "choir/learn/require.h"

namespace choir::oneshot_kpca {
namespace {

void validate_kernel(const Options& options) {
  const KernelKind kind = options.kernel.kind;
  if (kind == KernelKind::laplacian) {
    throw Error(ErrorCategory::InvalidArgument,
                "the kernel laplacian needs sums of absolute differences, which no factor of low rank keeps; "
                "choose rbf, or a kernel of inner products");
  }
  const bool by_products = decided_estimator(options) == Estimator::product;
  if (by_products && kind != KernelKind::rbf && kind != KernelKind::linear) {
    fail(ErrorCategory::InvalidArgument,
         "estimator product supports the kernels rbf and linear; for {} use estimator distances",
         to_string(kind));
  }
  if (by_products && options.kernel.normalized) {
    throw Error(ErrorCategory::InvalidArgument,
                "estimator product cannot normalize the kernel: its diagonal is what the factors lose; use "
                "estimator distances");
  }
}

}  // namespace

constexpr auto estimator_names = words_in_order<Estimator::distances>("auto", "product", "distances");
ChoiceNames<Estimator> choice_names(Estimator) { return estimator_names; }

constexpr auto fusion_names = words_in_order<Fusion::gossip>("center", "tree", "gossip");
ChoiceNames<Fusion> choice_names(Fusion) { return fusion_names; }

void validate(const Options& options) {
  require_at_least("local_components", options.local_components.value_or(1), 1);
  require_at_least("messages_per_node", options.messages_per_node, 1);
  require_at_least("max_iter", options.max_iter, 1);
  require_at_least("center", options.center, 0);
  if (options.epsilon && (!(*options.epsilon > 0) || !(*options.epsilon < 1))) {
    fail(ErrorCategory::InvalidArgument, "epsilon is {}; it must lie between 0 and 1", *options.epsilon);
  }
  if (!(options.tol > 0) || !std::isfinite(options.tol)) {
    fail(ErrorCategory::InvalidArgument, "tol is {}; it must be positive", options.tol);
  }
  if (options.preprocessing.standardize == Standardize::unit) {
    throw Error(
        ErrorCategory::InvalidArgument,
        "standardize unit needs the length of whole samples, which no party knows; use zscore or none");
  }
  validate_kernel(options);
}

Estimator decided_estimator(const Options& options) {
  if (options.fusion != Fusion::center) return Estimator::distances;
  if (options.estimator != Estimator::automatic) return options.estimator;
  const KernelKind kind = options.kernel.kind;
  const bool multiplies =
      (kind == KernelKind::rbf || kind == KernelKind::linear) && !options.kernel.normalized;
  if (!multiplies) return Estimator::distances;
  // Both would send the same vectors of a linear kernel; the product sends nothing else.
  return kind == KernelKind::linear ? Estimator::product : Estimator::automatic;
}

}  // namespace choir::oneshot_kpca
