// What a run under differential privacy costs, settled before anything is sent: options that contradict the
// promise are refused, and every owner's budget file is charged.
//
//   require_privacy_settings(settings);                               // before any work
//   const PrivacyCharge charge = charge_privacy(info, settings, processes);
//   settings.privacy.asked.wanted() ? privacy_words(settings) : ...;  // for a plan; charges nothing
#pragma once

#include <string>
#include <vector>

#include "choir/learn/privacy/privacy_plan.h"
#include "choir/run/method.h"
#include "choir/run/settings.h"
#include "choir/runtime/process_group.h"

namespace choir {

// Throws Error(InvalidArgument) for options that need --privacy, and for those that its promise does not
// allow.
void require_privacy_settings(const Settings& settings);

struct PrivacyCharge {
  double rho = 0;
  // "nothing adds up what this run and others cost together"; empty: every process has charged a file.
  std::string uncounted = {};
};

// All processes call it. Every process that names a budget file charges it with the whole run; one file of
// several processes is charged once. The charge is on the disk when this returns. Throws
// Error(InvalidArgument), in all processes, if a budget has too little left: then none is charged, unless
// another run was faster in between.
PrivacyCharge charge_privacy(const MethodInfo& info, const Settings& settings, ProcessGroup& processes);

// The promise, its cost and what the budget file of this process says: lines for a plan. Changes no file.
std::vector<std::string> privacy_words(const Settings& settings);
std::string words_of(
    const Release& release);  // "sums of features: noise of standard deviation 9.6, rho 0.02"

}  // namespace choir
