#include "choir/learn/oneshot_kpca/options.h"

#include <cmath>

#include "choir/base/choices.h"
#include "choir/base/error.h"

namespace choir {
namespace {

constexpr ChoiceNames<Estimator, 2> estimators = {
    {{Estimator::product, "product"}, {Estimator::distances, "distances"}}};
constexpr ChoiceNames<Fusion, 3> fusions = {
    {{Fusion::center, "center"}, {Fusion::tree, "tree"}, {Fusion::gossip, "gossip"}}};

void require_at_least(std::string_view what, Index value, Index least) {
  if (value < least)
    fail(ErrorCategory::InvalidArgument, "{} is {}; it must be at least {}", what, value, least);
}

void validate_kernel(const OneshotKpcaOptions& options) {
  const KernelKind kind = options.kernel.kind;
  if (kind == KernelKind::laplacian) {
    throw Error(ErrorCategory::InvalidArgument,
                "the kernel laplacian needs sums of absolute differences, which no factor of low rank keeps; "
                "choose rbf, or a kernel of inner products");
  }
  const bool by_distances = options.estimator == Estimator::distances || options.fusion != Fusion::center;
  if (!by_distances && kind != KernelKind::rbf && kind != KernelKind::linear) {
    fail(ErrorCategory::InvalidArgument,
         "estimator product supports the kernels rbf and linear; for {} use estimator distances",
         to_string(kind));
  }
  if (!by_distances && options.kernel.normalized) {
    throw Error(ErrorCategory::InvalidArgument,
                "estimator product cannot normalize the kernel: its diagonal is what the factors lose; use "
                "estimator distances");
  }
}

}  // namespace

Estimator parse_estimator(std::string_view text) { return parse_choice(estimators, "estimator", text); }
Fusion parse_fusion(std::string_view text) { return parse_choice(fusions, "fusion", text); }
std::string_view to_string(Estimator choice) { return name_of(estimators, choice); }
std::string_view to_string(Fusion choice) { return name_of(fusions, choice); }

void validate(const OneshotKpcaOptions& options) {
  require_at_least("local_components", options.local_components.value_or(1), 1);
  require_at_least("messages", options.messages, 1);
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

}  // namespace choir
