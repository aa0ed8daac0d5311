#include "choir/learn/online_kernel/options.h"

#include <algorithm>
#include <cmath>

#include "choir/base/choices.h"
#include "choir/base/error.h"
#include "choir/learn/online_kernel/step.h"

namespace choir {
namespace {

constexpr ChoiceNames<Loss, 4> losses = {{{Loss::logistic, "logistic"},
                                          {Loss::hinge, "hinge"},
                                          {Loss::squared, "squared"},
                                          {Loss::huber, "huber"}}};
constexpr ChoiceNames<OnlineConsensus, 4> consensus_forms = {{{OnlineConsensus::diffusion, "diffusion"},
                                                              {OnlineConsensus::symmetric, "symmetric"},
                                                              {OnlineConsensus::penalty, "penalty"},
                                                              {OnlineConsensus::none, "none"}}};
void require_at_least(std::string_view what, Index value, Index least) {
  if (value < least)
    fail(ErrorCategory::InvalidArgument, "{} is {}; it must be at least {}", what, value, least);
}

void require_positive(std::string_view what, double value) {
  if (!(value > 0 && std::isfinite(value)))
    fail(ErrorCategory::InvalidArgument, "{} is {}; it must be positive and finite", what, value);
}

void require_not_negative(std::string_view what, double value) {
  if (!(value >= 0 && std::isfinite(value)))
    fail(ErrorCategory::InvalidArgument, "{} is {}; it must be finite and non-negative", what, value);
}

void validate_classes(const OnlineKernelOptions& options) {
  const std::vector<std::int64_t>& classes = options.classes;
  if (!is_classification(options.loss)) {
    if (classes.empty()) return;
    fail(ErrorCategory::InvalidArgument,
         "the loss {} learns values and takes no classes; omit the classes, or choose logistic or hinge",
         to_string(options.loss));
  }
  if (classes.size() < 2) {
    fail(ErrorCategory::InvalidArgument,
         "the loss {} needs at least 2 classes, not {}; name those of all nodes", to_string(options.loss),
         classes.size());
  }
  if (std::adjacent_find(classes.begin(), classes.end(), std::greater_equal<>()) != classes.end()) {
    throw Error(ErrorCategory::InvalidArgument, "the classes must ascend without duplicates");
  }
}

void validate_step(const OnlineKernelOptions& options) {
  if (options.eta) {
    require_positive("eta", *options.eta);
  } else if (!has_unit_diagonal(options.kernel)) {
    fail(ErrorCategory::InvalidArgument,
         "the kernel {} has values k(x,x) other than 1, so no step size is right for all samples; give eta, "
         "or normalize the kernel",
         to_string(options.kernel.kind));
  }
  require_not_negative("lambda", options.lambda);
  const double eta = options.eta.value_or(longest_default_step);
  if (eta * options.lambda >= 1) {
    fail(ErrorCategory::InvalidArgument,
         "eta times lambda is {}; it must be less than 1; choose a smaller eta or lambda",
         eta * options.lambda);
  }
}

}  // namespace

Loss parse_loss(std::string_view text) { return parse_choice(losses, "loss", text); }
OnlineConsensus parse_online_consensus(std::string_view text) {
  return parse_choice(consensus_forms, "consensus", text);
}
std::string_view to_string(Loss choice) { return name_of(losses, choice); }
std::string_view to_string(OnlineConsensus choice) { return name_of(consensus_forms, choice); }
bool is_classification(Loss loss) { return loss == Loss::logistic || loss == Loss::hinge; }

Index outputs_of(const OnlineKernelOptions& options) {
  return is_classification(options.loss) ? static_cast<Index>(options.classes.size()) : 1;
}

bool has_unit_diagonal(const Kernel& kernel) {
  switch (kernel.kind) {
    case KernelKind::rbf:
    case KernelKind::laplacian:
    case KernelKind::cosine:
      return true;
    case KernelKind::linear:
    case KernelKind::poly:
    case KernelKind::sigmoid:
      break;
  }
  return kernel.normalized;
}

void validate(const OnlineKernelOptions& options) {
  validate_classes(options);
  validate_step(options);
  require_at_least("batch", options.batch, 1);
  require_at_least("max_atoms", options.max_atoms, 1);
  require_at_least("penalty_doubling", options.penalty_doubling, 0);
  require_not_negative("penalty", options.penalty);
  require_positive("huber_width", options.huber_width);
  if (options.epsilon) require_not_negative("epsilon", *options.epsilon);
}

}  // namespace choir
