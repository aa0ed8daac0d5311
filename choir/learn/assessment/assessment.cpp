#include "choir/learn/assessment/assessment.h"

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
  assessment.weaknesses.push_back(fmt::format(
      "the answer is weak: component {} is expected to have a similarity of {:.2f} to the central one{}; {}",
      worst + 1, least, others, advice));
}

}  // namespace choir
