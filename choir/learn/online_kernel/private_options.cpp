#include "choir/learn/online_kernel/private_options.h"

#include "choir/learn/online_kernel/class_moments.h"
#include "choir/learn/privacy/private_choices.h"

namespace choir::online_kernel {

void require_private(const Options& options) {
  validate(options.privacy);
  require_choice(
      is_classification(options.loss),
      "only classes can be learned: values have no bound that noise could hide one of them by; choose "
      "the loss logistic, or learn ranges of the values as classes");
  require_choice(
      representation_of(options) == Representation::random_features,
      "the representation must be random-features: dictionaries are samples, and landmarks are found "
      "from them; omit the representation, and options of dictionaries, or choose random-features");
  require_given_gamma(options.gamma);
  require_no_moments(options.preprocessing);
  require_clip_if(false, options.privacy);
}

void require_private(const RunOptions& run, const Hooks& hooks) {
  require_all_nodes(run.lost_peers);
  require_choice(
      !hooks.resume,
      "a run cannot be resumed: it would open what it has opened before; start again without resume");
  require_choice(
      !hooks.predicted,
      "there are no predictions before the end: they would come from samples without noise; predict "
      "with the model");
}

Release release_of_moments(PrivacyPlan& plan) {
  return plan.release("moments of features and classes", class_moments_sensitivity, 1.0);
}

PrivacyReport privacy_report(const Options& options, Index nodes) {
  PrivacyPlan plan(options.privacy, nodes);
  release_of_moments(plan);
  PrivacyReport report = report_of(options.privacy, plan);
  report.left_out = {
      "accuracy and loss while learning: each would have to be charged",
      "the verdict on the answer, and the choice of ridge, by samples: the noise decides the ridge",
      "forgetting by losses: nothing is forgotten unless the half-life is given",
      "the scale of chances of classes by samples: it is the same for all runs"};
  report.limitations = {
      "A record that cannot be read, a value that is no number, or a label that is none of the classes, ends "
      "the run with an error that says so.",
      "How long nodes take, and how much memory, is not covered."};
  return report;
}

}  // namespace choir::online_kernel
