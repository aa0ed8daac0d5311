#include "choir/learn/online_kernel/private_options.h"

#include <string_view>

#include "choir/base/error.h"
#include "choir/learn/online_kernel/noisy_moments.h"

namespace choir::online_kernel {
namespace {

void require(bool holds, std::string_view sentence) {
  if (!holds) fail(ErrorCategory::InvalidArgument, "under differential privacy {}", sentence);
}

}  // namespace

void require_private(const Options& options) {
  validate(options.privacy);
  require(
      is_classification(options.loss),
      "only classes can be learned: values have no bound that noise could hide one of them by; choose the "
      "loss logistic, or learn ranges of the values as classes");
  require(
      representation_of(options) == Representation::random_features,
      "the representation must be random-features: dictionaries are samples, and landmarks are found from "
      "them; omit the representation, and options of dictionaries, or choose random-features");
  require(
      options.gamma.rule == GammaRule::number,
      "gamma must be a number: scale and median are found from the samples; give gamma a number, such as 1 / "
      "features for values of about 1");
  require(options.preprocessing.standardize != Standardize::zscore,
          "zscore is refused: means and variances come from the samples; divide by a number that does not "
          "depend on them, or standardize unit");
  require(!options.privacy.clip,
          "clip has no use here: features of a sample have length 1 however long it is; omit clip");
}

void require_private(const RunOptions& run, const Hooks& hooks) {
  require(run.lost_peers == LostPeers::fail,
          "a run cannot go on without lost nodes: their noise would be missing; set lost_peers to fail");
  require(!hooks.resume,
          "a run cannot be resumed: it would open what it has opened before; start again without resume");
  require(!hooks.predicted,
          "there are no predictions before the end: they would come from samples without noise; predict with "
          "the model");
}

Release release_of_moments(PrivacyPlan& plan) {
  return plan.release("moments of features and classes", moments_sensitivity, 1.0);
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
      "A record that cannot be read, or a label that is none of the classes, ends the run with an error that "
      "says so.",
      "How long nodes take, and how much memory, is not covered."};
  return report;
}

}  // namespace choir::online_kernel
