#include "choir/learn/assessment/residual_claims.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "choir/learn/assessment/separation.h"

namespace choir {
namespace {

// The distance of the values first to last from all others; negative: they may overlap. Ritz values are not
// above their eigenvalues, so those before are at least as far as they seem; those after may be nearer.
double gap_around(const Vector& values, const Vector& residuals, const ComponentGroup& group, double beyond) {
  double gap = std::numeric_limits<double>::infinity();
  if (group.first > 0) gap = values(group.first - 1) - values(group.first);
  const bool has_guard = group.last + 1 < values.size();
  const double below = has_guard ? values(group.last + 1) + residuals(group.last + 1) : beyond;
  return std::min(gap, values(group.last) - below);
}

double claim_of(const Vector& values, const Vector& residuals, const ComponentGroup& group,
                const RitzNeighborhood& around) {
  const Index last = std::min(group.last, around.kept - 1);
  const double residual = residuals.segment(group.first, last - group.first + 1).norm();
  if (residual == 0) return 1;
  // A value that is off by its residual is so much nearer to its neighbours.
  const double gap = gap_around(values, residuals, group, around.beyond) - residual;
  const double sine = gap > 0 ? std::min(1.0, residual / gap) : 1;
  return std::sqrt(1 - sine * sine);
}

}  // namespace

Vector residual_claims(const Vector& values, const Vector& residuals, const RitzNeighborhood& around) {
  Vector claims(around.kept);
  for (const ComponentGroup& group : component_groups(values, around.kept)) {
    const double together = claim_of(values, residuals, group, around);
    for (Index d = group.first; d <= std::min(group.last, around.kept - 1); ++d) {
      const double alone = claim_of(values, residuals, {.first = d, .last = d}, around);
      claims(d) = std::max(together, alone);
    }
  }
  return claims;
}

}  // namespace choir
