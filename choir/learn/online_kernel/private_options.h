// What learning from streams under differential privacy asks of the options: nothing that the run makes
// public may depend on a sample but through one noisy total of moments. README.md says what that leaves.
//
//   if (options.privacy.wanted()) require_private(options);
#pragma once

#include "choir/learn/online_kernel/online_kernel.h"
#include "choir/learn/online_kernel/options.h"
#include "choir/learn/privacy/privacy_plan.h"
#include "choir/learn/privacy/privacy_report.h"
#include "choir/runtime/contract.h"

namespace choir::online_kernel {

// Throw Error(InvalidArgument) that says what to choose instead. The classes are not looked at.
void require_private(const Options& options);
void require_private(const RunOptions& run, const Hooks& hooks);

// The only sum that is opened: all of the plan's budget.
Release release_of_moments(PrivacyPlan& plan);

// What a run with these options promises, known before any sample is read.
PrivacyReport privacy_report(const Options& options, Index nodes);

}  // namespace choir::online_kernel
