// What a run under differential privacy has promised, and what the promise cost: for the result, the page and
// the budget file.
//
//   const PrivacyOptions asked{.epsilon = 1.0};
//   PrivacyReport report = report_of(asked, PrivacyPlan(asked, 20));
//   report.left_out = {"captured variance: it would have to be charged"};
//   report.rho();                                        // what a budget file is charged with
#pragma once

#include <string>
#include <vector>

#include "choir/learn/privacy/privacy_options.h"
#include "choir/learn/privacy/privacy_plan.h"

namespace choir {

struct PrivacyReport {
  PrivacyOptions asked = {};
  std::vector<Release> releases = {};      // every figure that comes from samples was made from these alone
  std::vector<std::string> left_out = {};  // figures that are off because they would have to be charged
  std::vector<std::string> limitations = {};  // what this run's promise does not cover, a sentence each

  double rho() const;  // of all releases
};

PrivacyReport report_of(const PrivacyOptions& asked, const PrivacyPlan& plan);

}  // namespace choir
