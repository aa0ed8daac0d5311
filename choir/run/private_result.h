// The last look at a result under differential privacy: a figure that was made of samples without being
// charged is a fault of the program, and nobody gets to see it.
//
//   result.privacy = report_of(options.privacy, plan);             // the method
//   complete_privacy(settings.privacy.asked, charge, result);      // the run
//   require_private(result, info);              // throws Error(Internal): "... holds 'assessment' ..."
#pragma once

#include <string>

#include "choir/run/privacy_charge.h"
#include "choir/run/result.h"
#include "choir/runtime/contract.h"

namespace choir {

// Adds what holds for every method to the method's report: what the promise does not cover, and the lines for
// people. Throws Error(Internal) if the method has no report, reports another promise than was asked for, or
// has released more than was charged.
void complete_privacy(const PrivacyOptions& asked, const PrivacyCharge& charge, Result& result);

// Throws Error(Internal) that names a field which no run under differential privacy may fill, or a fact that
// is not among the method's private ones.
void require_private(const Result& result, const MethodInfo& info);
// Throws Error(Internal) that names a kind of message which is neither masked nor made of released sums.
void require_private(const Contract& contract);

}  // namespace choir
