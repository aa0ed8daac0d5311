#include "choir/learn/oneshot_kpca/claims.h"

#include <algorithm>

#include "choir/metrics/subspace.h"

namespace choir::oneshot_kpca {

Vector group_cosines(const Matrix& vectors, const Matrix& others, const std::vector<ComponentGroup>& groups) {
  const Index kept = vectors.cols();
  Vector cosines = Vector::Zero(kept);
  for (const ComponentGroup& group : groups) {
    const Index size = std::min(group.last + 1, kept) - group.first;
    const Index among = std::min(group.last + 1, others.cols()) - group.first;
    if (among < size) continue;
    cosines.segment(group.first, size)
        .setConstant(
            smallest_cosine(vectors.middleCols(group.first, size), others.middleCols(group.first, among)));
  }
  return cosines;
}

Assessment assess(const FusedAnswer& answer, const std::optional<Matrix>& fewer, std::string_view advice) {
  const Index kept = answer.eigenvalues.size();
  const auto samples = static_cast<double>(answer.vectors.rows());
  Assessment assessment;
  if (!answer.most_negative) {  // eigenvalues of an indefinite kernel are no variances
    assessment.captured_variance = answer.eigenvalues / samples;
    assessment.total_variance = answer.trace / samples;
  }
  assessment.unseparated = unseparated_groups(answer.spectrum, kept);
  assessment.claimed_similarity = Vector::Ones(kept);
  if (!fewer) return assessment;
  assessment.claimed_similarity =
      group_cosines(answer.vectors, *fewer, component_groups(answer.spectrum, kept));
  call_weak_claims(assessment, advice);
  return assessment;
}

}  // namespace choir::oneshot_kpca
