#include "choir/learn/gossip_pca/options.h"

#include <algorithm>
#include <cmath>

#include "choir/base/error.h"
#include "choir/learn/features/appraisal.h"
#include "choir/learn/gossip_pca/private_options.h"
#include "choir/learn/privacy/private_choices.h"
#include "choir/learn/require.h"

namespace choir::gossip_pca {
namespace {

void validate_kernel(const Options& options) {
  const KernelKind kind = options.kernel.kind;
  if (options.features == FeatureKind::none && kind != KernelKind::linear) {
    fail(ErrorCategory::InvalidArgument,
         "the kernel {} needs features that all nodes share; choose features landmarks or random-features, "
         "or the linear kernel",
         to_string(kind));
  }
  if (options.features == FeatureKind::random_features && kind != KernelKind::rbf &&
      kind != KernelKind::laplacian) {
    fail(ErrorCategory::InvalidArgument,
         "random-features exist for the kernels rbf and laplacian, not for {}; choose one of them, or "
         "landmarks",
         to_string(kind));
  }
  require_variances(options.kernel, options.n_components);
}

void validate_coordinates(const Options& options) {
  if (options.partition != Division::coordinates) return;
  if (options.features != FeatureKind::none) {
    fail(ErrorCategory::InvalidArgument,
         "features {} need whole samples at a node; where coordinates are spread, only PCA can be done "
         "(features none)",
         to_string(options.features));
  }
  if (options.preprocessing.standardize == Standardize::unit) {
    throw Error(ErrorCategory::InvalidArgument,
                "standardize unit needs the length of whole samples; where coordinates are spread, no node "
                "knows it: use zscore or none");
  }
  if (options.half_life) {
    throw Error(ErrorCategory::InvalidArgument,
                "half_life is for samples that keep arriving; where coordinates are spread, all nodes have "
                "the same samples: omit it");
  }
}

void validate_schedule(const Options& options) {
  if (options.schedule != Schedule::tree) return;
  if (options.half_life) {
    throw Error(ErrorCategory::InvalidArgument,
                "half_life is for samples that keep arriving, and schedule tree merges once; use random");
  }
}

}  // namespace

constexpr auto merge_rule_names = words_in_order<MergeRule::late>("gram", "orthogonal-iterations", "late");
ChoiceNames<MergeRule> choice_names(MergeRule) { return merge_rule_names; }

constexpr auto ritz_values_names = words_in_order<RitzValues::diagonal>("rayleigh", "diagonal");
ChoiceNames<RitzValues> choice_names(RitzValues) { return ritz_values_names; }

constexpr auto schedule_names =
    words_in_order<Schedule::tree>("random", "broadcast", "master", "fast-master", "tree");
ChoiceNames<Schedule> choice_names(Schedule) { return schedule_names; }

constexpr auto delivery_names = words_in_order<Delivery::plain>("acknowledged", "plain");
ChoiceNames<Delivery> choice_names(Delivery) { return delivery_names; }

void validate(const Options& options) {
  require_at_least("n_components", most_components(options), 1);
  require_at_least("carry", options.carry.value_or(most_components(options)), most_components(options));
  require_at_least("max_t", options.max_t, 1);
  require_at_least("messages_per_node", options.messages_per_node.value_or(1), 1);
  require_at_least("window", options.window, 1);
  require_at_least("n_landmarks", options.n_landmarks, 1);
  require_at_least("n_features", options.n_features, 1);
  require_at_least("min_count", options.min_count, 1);
  require_positive("interval", options.interval);
  if (options.half_life) require_positive("half_life", *options.half_life);
  if (!(options.tol >= 0) || !std::isfinite(options.tol))
    fail(ErrorCategory::InvalidArgument, "tol is {}; it must be 0 or more", options.tol);
  validate_kernel(options);
  validate_coordinates(options);
  validate_schedule(options);
  if (options.privacy.wanted()) require_private(options);
}

void require_streams(const Options& options) {
  require_choice(!options.privacy.wanted(),
                 "all samples must be there at the start: every later total would be a release of its own; "
                 "omit --stream");
  if (options.partition == Division::coordinates) {
    throw Error(ErrorCategory::InvalidArgument,
                "--stream needs nodes that have whole samples; omit --partition coordinates or --stream");
  }
  if (options.schedule == Schedule::tree) {
    throw Error(
        ErrorCategory::InvalidArgument,
        "--stream brings samples while nodes gossip, and --schedule tree merges once; omit one of them");
  }
}

void require_fitting(const Options& options, const Surroundings& run) {
  require_choice(
      options.partition == Division::coordinates || !run.by_features,
      "--by features gives every node some coordinates of all samples; use --partition coordinates, too");
  require_choice(
      options.features != FeatureKind::none || !options.kernel.normalized,
      "--normalized needs features that represent the kernel; use --features landmarks, or omit it");
  require_choice(
      !options.half_life || !run.yardsticks,
      "--yardsticks compares with all samples counted alike, which nodes with a --half-life do not "
      "aim at; omit one of them");
  if (run.stream) require_streams(options);
}

FeatureKind default_features(const Kernel& kernel) {
  const bool linear = kernel.kind == KernelKind::linear && !kernel.normalized;
  return linear ? FeatureKind::none : FeatureKind::landmarks;
}

double rate_of_gossip(double mixing) {
  constexpr double rate_in_a_complete_network =
      0.19;  // 1e-6 of the squared error after 30 messages of a node
  return rate_in_a_complete_network * std::min(1.0, mixing);
}

Index enough_messages(const Options& options, Index nodes, double mixing) {
  constexpr double fewest = 60;
  constexpr double most = 240;
  constexpr double windows_to_notice = 3;
  const double tol = options.tol > 0 ? options.tol : Options{}.tol;
  const double folds = std::log(1 / tol) + std::log(static_cast<double>(nodes)) / 2;
  const double needed =
      folds / rate_of_gossip(mixing) + windows_to_notice * static_cast<double>(options.window);
  return static_cast<Index>(std::clamp(std::ceil(needed), fewest, most));
}

Index most_components(const Options& options) {
  return options.n_components.by_fraction() ? options.n_components.max_count : options.n_components.count;
}

Index carried_directions(const Options& options) {
  const Index q = most_components(options);
  if (options.carry) return *options.carry;
  if (options.merge == MergeRule::orthogonal_iterations) return q;
  // Every node sees other coordinates: all of them are as different as nodes can be. On digits of 20 nodes,
  // 10 components, 20 directions leave an excess error of 1.1%, 40 of .04%.
  constexpr Index times_for_coordinates = 4;
  if (options.partition == Division::coordinates) return times_for_coordinates * q;
  constexpr Index fewest_more = 5;
  constexpr Index most_more = 10;
  return q + std::max(fewest_more, std::min(q, most_more));
}

}  // namespace choir::gossip_pca
