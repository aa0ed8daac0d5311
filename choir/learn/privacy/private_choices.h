// What differential privacy asks of options that many methods have: refusals that all word alike.
//
//   require_given_gamma(options.gamma);        // "under differential privacy gamma must be a number: ..."
#pragma once

#include <string_view>

#include "choir/kernel/bandwidth.h"
#include "choir/kernel/kernel.h"
#include "choir/learn/components.h"
#include "choir/learn/privacy/privacy_options.h"
#include "choir/model/preprocessing.h"
#include "choir/runtime/contract.h"

namespace choir {

// All throw Error(InvalidArgument). `sentence` follows "under differential privacy ".
void require_choice(bool allowed, std::string_view sentence);

void require_given_gamma(const GammaSpec& gamma);
void require_no_moments(const Preprocessing& preprocessing);  // no zscore
void require_count(const ComponentChoice& components);        // no share of the variance
void require_unit_features(KernelKind kind);                  // k(x, x) = 1: rbf, laplacian
// Samples must be shortened where they are summed, and need not be elsewhere.
void require_clip_if(bool sums_samples, const PrivacyOptions& privacy);
// No node may be done without: its share of the noise would be missing.
void require_all_nodes(LostPeers lost_peers);

}  // namespace choir
