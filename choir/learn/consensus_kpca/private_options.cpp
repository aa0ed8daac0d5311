#include "choir/learn/consensus_kpca/private_options.h"

#include "choir/learn/privacy/private_choices.h"

namespace choir::consensus_kpca {

void require_private(const Options& options) {
  validate(options.privacy);
  require_choice(
      options.share != Share::samples,
      "nodes may not see each other's samples (share samples); share landmarks or random-features");
  require_unit_features(options.kernel.kind);
  require_given_gamma(options.gamma);
  require_no_moments(options.preprocessing);
  require_count(options.n_components);
  require_choice(options.use.value_or(Answer::shared) == Answer::shared,
                 "only the shared answer is noisy, own ones are made of a node's samples; use shared");
  require_choice(options.agree == Agree::tree,
                 "consensus and gossip show neighbours a node's own sums; agree by tree");
  require_clip_if(private_features_wanted(options).finds_landmarks(), options.privacy);
}

PrivateFeatures private_features_wanted(const Options& options) {
  const bool random = options.share == Share::random_features;
  return {.kernel = options.kernel,
          .kind = random ? FeatureKind::random_features : FeatureKind::landmarks,
          .n_landmarks = options.n_landmarks,
          .n_features = options.n_features,
          .public_points = landmarks_wanted(options, options.preprocessing).points,
          .clip = options.privacy.clip,
          .least_directions = options.n_components.count};
}

ComponentsBudget private_budget(const Options& options, Index nodes) {
  return components_budget(options.privacy, nodes, private_features_wanted(options).finds_landmarks());
}

PrivacyReport privacy_report(const Options& options, Index nodes) {
  PrivacyReport report = report_of(options.privacy, private_budget(options, nodes).plan);
  report.left_out = {"the assessment of the answer: captured variance and claimed similarity",
                     "how much the nodes' samples differ",
                     "the kernel error of the features, and the check that samples resemble each other",
                     "the nodes' own answers", "samples from scores (inverse) of random features"};
  report.limitations = {
      "a sample whose values or features are no finite numbers ends the run with an error that says so"};
  return report;
}

}  // namespace choir::consensus_kpca
