// What decentralised kernel PCA under differential privacy asks of the options: nothing that a run makes
// public may come from samples but its two noisy totals.
//
//   if (options.privacy.wanted()) require_private(options);
//   result.privacy = privacy_report(options, nodes);            // the same in every process
#pragma once

#include "choir/learn/consensus_kpca/options.h"
#include "choir/learn/features/private_features.h"
#include "choir/learn/privacy/noisy_components.h"
#include "choir/learn/privacy/privacy_report.h"

namespace choir::consensus_kpca {

// Throws Error(InvalidArgument) that says what to do instead.
void require_private(const Options& options);

PrivateFeatures private_features_wanted(const Options& options);
// The releases of a run, which its node programs take their noise from, and what the run says about them.
ComponentsBudget private_budget(const Options& options, Index nodes);
PrivacyReport privacy_report(const Options& options, Index nodes);

}  // namespace choir::consensus_kpca
