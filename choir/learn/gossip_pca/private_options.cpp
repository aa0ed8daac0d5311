#include "choir/learn/gossip_pca/private_options.h"

#include "choir/learn/privacy/private_choices.h"

namespace choir::gossip_pca {
namespace {

bool finds_landmarks(const Options& options) { return options.features == FeatureKind::landmarks; }

}  // namespace

void require_private(const Options& options) {
  validate(options.privacy);
  require_choice(
      options.partition == Division::samples,
      "every node needs whole samples, so that one of them can be replaced; use partition samples");
  require_choice(!options.half_life,
                 "samples count alike (half_life is refused): nothing is released before all are there; omit "
                 "half_life");
  require_no_moments(options.preprocessing);
  require_count(options.n_components);
  require_clip_if(options.features != FeatureKind::random_features, options.privacy);
  if (options.features == FeatureKind::none) return;
  require_unit_features(options.kernel.kind);
  require_given_gamma(options.gamma);
}

PrivateFeatures private_features_wanted(const Options& options) {
  Kernel kernel = options.kernel;
  kernel.gamma = options.gamma.value;
  return {.kernel = kernel,
          .kind = options.features,
          .n_landmarks = options.n_landmarks,
          .n_features = options.n_features,
          .clip = options.privacy.clip,
          .least_directions = options.n_components.count};
}

ComponentsBudget private_budget(const Options& options, Index nodes) {
  return components_budget(options.privacy, nodes, finds_landmarks(options));
}

PrivacyReport privacy_report(const Options& options, Index nodes) {
  PrivacyReport report = report_of(options.privacy, private_budget(options, nodes).plan);
  report.left_out = {"the assessment of the answer: captured variance and claimed similarity",
                     "how much the nodes' samples differ"};
  if (options.features == FeatureKind::random_features)
    report.left_out.emplace_back("samples from scores (inverse)");
  report.limitations = {
      "a sample whose values or features are no finite numbers ends the run with an error that says so"};
  return report;
}

}  // namespace choir::gossip_pca
