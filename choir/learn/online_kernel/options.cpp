#include "choir/learn/online_kernel/options.h"

#include <algorithm>
#include <cmath>

#include "choir/base/error.h"
#include "choir/learn/online_kernel/private_options.h"
#include "choir/learn/online_kernel/step.h"
#include "choir/learn/require.h"

namespace choir::online_kernel {
namespace {

void validate_classes(const Options& options) {
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

void validate_step(const Options& options) {
  if (options.eta) {
    require_positive("eta", *options.eta);
  } else if (!has_unit_diagonal(options.kernel)) {
    fail(ErrorCategory::InvalidArgument,
         "the kernel {} has values k(x,x) other than 1, so no step size is right for all samples; give eta, "
         "or normalize the kernel",
         to_string(options.kernel.kind));
  }
  require_not_negative("alpha", options.alpha);
  if (!steps_as_in_the_paper(options)) return;  // automatic steps shrink f by 1 / (1 + eta alpha)
  const double eta = options.eta.value_or(papers_step);
  if (eta * options.alpha >= 1) {
    fail(ErrorCategory::InvalidArgument,
         "eta times alpha is {}; it must be less than 1; choose a smaller eta or alpha", eta * options.alpha);
  }
}

// Moments are of one kind of loss, and need features.
void validate_features(const Options& options) {
  const std::string_view name = to_string(representation_of(options));
  const KernelKind kind = options.kernel.kind;
  if (options.loss != Loss::logistic && options.loss != Loss::squared) {
    fail(ErrorCategory::InvalidArgument,
         "the representation {} learns by least squares, for which the loss is logistic (classes) or squared "
         "(values), not {}; choose one of these, or the representation dictionary",
         name, to_string(options.loss));
  }
  if (options.consensus != Consensus::diffusion) {
    fail(ErrorCategory::InvalidArgument,
         "the consensus {} is a way of dictionaries to agree, and nodes with {} add up moments; omit it, or "
         "choose the representation dictionary",
         to_string(options.consensus), name);
  }
  const bool has_random_features = kind == KernelKind::rbf || kind == KernelKind::laplacian;
  if (representation_of(options) == Representation::random_features &&
      (!has_random_features || options.kernel.normalized)) {
    fail(ErrorCategory::InvalidArgument,
         "the {} kernel has no random features; use rbf or laplacian, or the representation landmarks",
         to_string(kind));
  }
  require_at_least("n_features", options.n_features, 2);
  require_at_least("n_landmarks", options.n_landmarks, 2);
  require_at_least("min_count", options.min_count, 1);
  if (options.half_life) require_not_negative("half_life", *options.half_life);
}

}  // namespace

constexpr auto loss_names = words_in_order<Loss::huber>("logistic", "hinge", "squared", "huber");
ChoiceNames<Loss> choice_names(Loss) { return loss_names; }

constexpr auto consensus_names = words_in_order<Consensus::none>("diffusion", "symmetric", "penalty", "none");
ChoiceNames<Consensus> choice_names(Consensus) { return consensus_names; }

constexpr auto schedule_names = words_in_order<Schedule::constant>("decay", "constant");
ChoiceNames<Schedule> choice_names(Schedule) { return schedule_names; }
constexpr auto representation_names =
    words_in_order<Representation::landmarks>("dictionary", "random-features", "landmarks");
ChoiceNames<Representation> choice_names(Representation) { return representation_names; }

constexpr auto class_weights_names = words_in_order<ClassWeights::none>("balanced", "none");
ChoiceNames<ClassWeights> choice_names(ClassWeights) { return class_weights_names; }

Representation representation_of(const Options& options) {
  if (options.representation) return *options.representation;
  if (options.privacy.wanted()) return Representation::random_features;
  const bool by_sums = options.consensus == Consensus::diffusion &&
                       (options.loss == Loss::logistic || options.loss == Loss::squared) && !options.eta &&
                       !options.epsilon && options.schedule == Schedule::decay;
  return by_sums ? Representation::landmarks : Representation::dictionary;
}

bool uses_features(const Options& options) {
  return representation_of(options) != Representation::dictionary;
}

bool is_classification(Loss loss) { return loss == Loss::logistic || loss == Loss::hinge; }

Index outputs_of(const Options& options) {
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

void validate(const Options& options) {
  if (options.privacy.wanted()) require_private(options);
  validate_classes(options);
  require_at_least("batch", options.batch, 1);
  if (uses_features(options)) {
    validate_features(options);
    return;
  }
  validate_step(options);
  require_at_least("max_atoms", options.max_atoms, 1);
  require_at_least("penalty_doubling", options.penalty_doubling, 0);
  require_not_negative("penalty", options.penalty);
  require_positive("huber_width", options.huber_width);
  if (options.epsilon) require_not_negative("epsilon", *options.epsilon);
}

}  // namespace choir::online_kernel
