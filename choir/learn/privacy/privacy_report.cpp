#include "choir/learn/privacy/privacy_report.h"

namespace choir {

double PrivacyReport::rho() const {
  double total = 0;
  for (const Release& release : releases) total += release.rho;
  return total;
}

PrivacyReport report_of(const PrivacyOptions& asked, const PrivacyPlan& plan) {
  return {.asked = asked, .releases = plan.releases()};
}

}  // namespace choir
