#include "choir/learn/assessment/assessment.h"

#include <algorithm>
#include <iterator>
#include <string>

#include <fmt/format.h>

namespace choir {

void call_weak_claims(Assessment& assessment, std::string_view advice) {
  const Vector& claims = assessment.claimed_similarity;
  const Index weak = (claims.array() < weak_claim).count();
  if (weak == 0) return;
  Index worst = 0;
  const double least = claims.minCoeff(&worst);
  const std::string others =
      weak == 1 ? "" : fmt::format(" ({} of {} components are below {})", weak, claims.size(), weak_claim);
  const Index strong = std::distance(
      claims.begin(), std::ranges::find_if(claims, [](double claim) { return !(claim >= weak_claim); }));
  const std::string fewer =
      strong == 0 ? "" : fmt::format(", or ask for {} component{}", strong, strong == 1 ? "" : "s");
  assessment.weaknesses.push_back(fmt::format(
      "the answer is weak: component {} is expected to have a similarity of {:.2f} to the central one{}; "
      "{}{}",
      worst + 1, least, others, advice, fewer));
}

}  // namespace choir
