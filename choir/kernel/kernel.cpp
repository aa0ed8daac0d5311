#include "choir/kernel/kernel.h"

#include <cmath>

#include "choir/base/error.h"

namespace choir {
namespace {

bool uses_coef0(KernelKind kind) { return kind == KernelKind::poly || kind == KernelKind::sigmoid; }

}  // namespace

constexpr auto kernel_kind_names =
    words_in_order<KernelKind::cosine>("rbf", "linear", "poly", "laplacian", "sigmoid", "cosine");
ChoiceNames<KernelKind> choice_names(KernelKind) { return kernel_kind_names; }

bool uses_gamma(KernelKind kind) { return kind != KernelKind::linear && kind != KernelKind::cosine; }

std::string describe(const Kernel& kernel) {
  std::string details;
  const auto add = [&](const std::string& detail) { details += (details.empty() ? "" : ", ") + detail; };
  if (uses_gamma(kernel.kind)) add(fmt::format("gamma {}", kernel.gamma));
  if (kernel.kind == KernelKind::poly) add(fmt::format("degree {}", kernel.degree));
  if (uses_coef0(kernel.kind)) add(fmt::format("coef0 {}", kernel.coef0));
  if (kernel.normalized) add("normalized");
  const std::string name(to_string(kernel.kind));
  return details.empty() ? name : fmt::format("{} ({})", name, details);
}

void validate(const Kernel& kernel) {
  if (uses_gamma(kernel.kind) && !(kernel.gamma > 0 && std::isfinite(kernel.gamma))) {
    fail(ErrorCategory::InvalidArgument, "gamma is {}; the {} kernel needs a positive, finite number",
         kernel.gamma, to_string(kernel.kind));
  }
  if (kernel.kind == KernelKind::poly && kernel.degree < 1) {
    fail(ErrorCategory::InvalidArgument, "degree is {}; the poly kernel needs a degree of at least 1",
         kernel.degree);
  }
  if (uses_coef0(kernel.kind) && !std::isfinite(kernel.coef0)) {
    fail(ErrorCategory::InvalidArgument, "coef0 is {}; the {} kernel needs a finite number", kernel.coef0,
         to_string(kernel.kind));
  }
}

}  // namespace choir
