#include "choir/learn/gossip_pca/options.h"

#include <algorithm>
#include <cmath>

#include "choir/base/choices.h"
#include "choir/base/error.h"

namespace choir {
namespace {

constexpr ChoiceNames<Division, 2> divisions = {
    {{Division::samples, "samples"}, {Division::coordinates, "coordinates"}}};
constexpr ChoiceNames<MergeRule, 3> merge_rules = {
    {{MergeRule::gram, "gram"},
     {MergeRule::orthogonal_iterations, "orthogonal-iterations"},
     {MergeRule::late, "late"}}};
constexpr ChoiceNames<RitzValues, 2> all_ritz_values = {
    {{RitzValues::rayleigh, "rayleigh"}, {RitzValues::diagonal, "diagonal"}}};
constexpr ChoiceNames<Schedule, 5> schedules = {{{Schedule::random, "random"},
                                                 {Schedule::broadcast, "broadcast"},
                                                 {Schedule::master, "master"},
                                                 {Schedule::fast_master, "fast-master"},
                                                 {Schedule::tree, "tree"}}};
constexpr ChoiceNames<FeatureKind, 3> feature_kinds = {{{FeatureKind::none, "none"},
                                                        {FeatureKind::landmarks, "landmarks"},
                                                        {FeatureKind::random_features, "random-features"}}};

void require_at_least(std::string_view what, Index value, Index least) {
  if (value < least)
    fail(ErrorCategory::InvalidArgument, "{} is {}; it must be at least {}", what, value, least);
}

void require_positive(std::string_view what, Duration duration) {
  if (duration <= Duration::zero())
    fail(ErrorCategory::InvalidArgument, "{} is {} ns; it must be positive", what, duration.count());
}

void validate_kernel(const GossipPcaOptions& options) {
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
}

void validate_coordinates(const GossipPcaOptions& options) {
  if (options.division != Division::coordinates) return;
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

void validate_schedule(const GossipPcaOptions& options) {
  if (options.schedule != Schedule::tree) return;
  if (options.half_life) {
    throw Error(ErrorCategory::InvalidArgument,
                "half_life is for samples that keep arriving, and schedule tree merges once; use random");
  }
}

}  // namespace

Division parse_division(std::string_view text) { return parse_choice(divisions, "partition", text); }
MergeRule parse_merge_rule(std::string_view text) { return parse_choice(merge_rules, "merge", text); }
RitzValues parse_ritz_values(std::string_view text) {
  return parse_choice(all_ritz_values, "ritz_values", text);
}
Schedule parse_schedule(std::string_view text) { return parse_choice(schedules, "schedule", text); }
FeatureKind parse_feature_kind(std::string_view text) {
  return parse_choice(feature_kinds, "features", text);
}
std::string_view to_string(Division choice) { return name_of(divisions, choice); }
std::string_view to_string(MergeRule choice) { return name_of(merge_rules, choice); }
std::string_view to_string(RitzValues choice) { return name_of(all_ritz_values, choice); }
std::string_view to_string(Schedule choice) { return name_of(schedules, choice); }
std::string_view to_string(FeatureKind choice) { return name_of(feature_kinds, choice); }

void validate(const GossipPcaOptions& options) {
  require_at_least("n_components", most_components(options), 1);
  require_at_least("carry", options.carry.value_or(most_components(options)), most_components(options));
  require_at_least("max_t", options.max_t, 1);
  require_at_least("messages", options.messages, 1);
  require_at_least("window", options.window, 1);
  require_at_least("n_landmarks", options.n_landmarks, 1);
  require_at_least("n_features", options.n_features, 1);
  require_at_least("min_count", options.min_count, 1);
  require_positive("mean_interval", options.mean_interval);
  if (options.half_life) require_positive("half_life", *options.half_life);
  if (!(options.tol >= 0) || !std::isfinite(options.tol))
    fail(ErrorCategory::InvalidArgument, "tol is {}; it must be 0 or more", options.tol);
  validate_kernel(options);
  validate_coordinates(options);
  validate_schedule(options);
}

Index most_components(const GossipPcaOptions& options) {
  return options.components.by_fraction() ? options.components.max_count : options.components.count;
}

Index carried_directions(const GossipPcaOptions& options) {
  const Index q = most_components(options);
  if (options.carry) return *options.carry;
  if (options.merge == MergeRule::orthogonal_iterations) return q;
  // Every node sees other coordinates: all of them are as different as nodes can be. On digits of 20 nodes,
  // 10 components, 20 directions leave an excess error of 1.1%, 40 of .04%.
  constexpr Index times_for_coordinates = 4;
  if (options.division == Division::coordinates) return times_for_coordinates * q;
  constexpr Index fewest_more = 5;
  constexpr Index most_more = 10;
  return q + std::max(fewest_more, std::min(q, most_more));
}

}  // namespace choir
