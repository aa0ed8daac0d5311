#include "choir/learn/components.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "choir/base/error.h"

namespace choir {

Index components_to_compute(const ComponentChoice& choice, Index max_rank) {
  if (choice.by_fraction()) {
    if (choice.fraction >= 1) {
      fail(ErrorCategory::InvalidArgument,
           "n_components {} is not a share of variance; it must lie between 0 and 1", choice.fraction);
    }
    if (choice.max_count < 1) {
      fail(ErrorCategory::InvalidArgument, "max_components is {}; it must be at least 1", choice.max_count);
    }
    return std::min(choice.max_count, max_rank);
  }
  if (choice.count < 1) {
    fail(ErrorCategory::InvalidArgument, "n_components is {}; it must be at least 1", choice.count);
  }
  if (choice.count > max_rank) {
    fail(ErrorCategory::InvalidArgument,
         "n_components is {} but these data have at most {} components; ask for fewer", choice.count,
         max_rank);
  }
  return choice.count;
}

std::optional<Index> components_that_explain(double fraction, const Vector& eigenvalues, double trace) {
  double explained = 0;
  for (Index d = 0; d < eigenvalues.size(); ++d) {
    explained += eigenvalues(d) / trace;
    if (explained >= fraction) return d + 1;
  }
  return std::nullopt;
}

Index components_to_keep(const ComponentChoice& choice, const Vector& eigenvalues, double trace,
                         double rank_cutoff) {
  const double floor = rank_cutoff * eigenvalues(0);
  const Index rank =
      std::count_if(eigenvalues.begin(), eigenvalues.end(), [&](double l) { return l > floor; });
  if (!choice.by_fraction()) {
    if (choice.count > rank) {
      fail(ErrorCategory::InvalidArgument,
           "n_components is {} but the centred kernel matrix has rank {} (duplicate samples, or too few); "
           "ask for {} "
           "or fewer",
           choice.count, rank, rank);
    }
    return choice.count;
  }
  const std::optional<Index> enough = components_that_explain(choice.fraction, eigenvalues.head(rank), trace);
  if (enough) return *enough;
  refuse_share(choice, rank, eigenvalues.head(rank).sum() / trace);
}

void refuse_share(const ComponentChoice& choice, Index components, double explained) {
  const std::string found =
      fmt::format("{} components explain {:.3f} of the variance, less than the {} requested", components,
                  explained, choice.fraction);
  if (components >= choice.max_count) {
    fail(ErrorCategory::InvalidArgument,
         "{}; raise max_components, ask for less, or, where landmarks or random features stand for samples, "
         "take more of them",
         found);
  }
  fail(ErrorCategory::InvalidArgument,
       "{}, and there are no others; ask for less, or, where landmarks, random features or neighbours stand "
       "for all samples, take more of them",
       found);
}

}  // namespace choir
