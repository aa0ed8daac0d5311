#include "choir/learn/privacy/private_choices.h"

#include "choir/base/error.h"

namespace choir {

void require_choice(bool allowed, std::string_view sentence) {
  if (!allowed) fail(ErrorCategory::InvalidArgument, "under differential privacy {}", sentence);
}

void require_given_gamma(const GammaSpec& gamma) {
  require_choice(gamma.rule == GammaRule::number,
                 "gamma must be a number: scale and median are found from the samples; use --gamma with a "
                 "number that does not depend on them, such as 1 / features for values of about 1");
}

void require_no_moments(const Preprocessing& preprocessing) {
  require_choice(preprocessing.standardize != Standardize::zscore,
                 "standardize zscore is refused: means and variances come from the samples; use --divide "
                 "with a number that does not depend on them, or --standardize unit");
}

void require_count(const ComponentChoice& components) {
  require_choice(!components.by_fraction(),
                 "n_components must be a number: noise would count as variance in a share of it; use "
                 "--n-components with a number");
}

void require_unit_features(KernelKind kind) {
  require_choice(kind == KernelKind::rbf || kind == KernelKind::laplacian,
                 "the kernel must be rbf or laplacian, whose features have length 1; choose one of them, or "
                 "gossip-pca with the kernel linear");
}

void require_clip_if(bool sums_samples, const PrivacyOptions& privacy) {
  if (sums_samples) {
    require_choice(privacy.clip.has_value(),
                   "samples that are summed need a bound on their length; use --clip with one that does not "
                   "depend on the samples and that few of them exceed (after --divide and --standardize)");
  } else {
    require_choice(!privacy.clip.has_value(),
                   "clip has no use here: no samples are summed, and features have length 1 however long a "
                   "sample is; omit --clip");
  }
}

void require_all_nodes(LostPeers lost_peers) {
  require_choice(
      lost_peers == LostPeers::fail,
      "a run cannot go on without lost nodes: their noise would be missing; use --lost-peers fail");
}

}  // namespace choir
