// How many components a user asked for: a number, or the share of variance they should explain.
//
//   ComponentChoice ten{.count = 10};
//   ComponentChoice enough{.fraction = 0.9};      // the fewest that explain 90%, at most max_count
#pragma once

#include <optional>

#include "choir/linalg/types.h"

namespace choir {

struct ComponentChoice {
  Index count = 2;
  double fraction = 0;   // 0: use count
  Index max_count = 50;  // with fraction

  bool by_fraction() const { return fraction > 0; }
};

// How many eigenpairs to compute for `choice` from N samples of rank at most `max_rank`.
// Throws Error(InvalidArgument) if count is 0 or exceeds max_rank, or fraction is not in (0, 1).
Index components_to_compute(const ComponentChoice& choice, Index max_rank);

// How many of the eigenvalues (descending) explain that fraction of `trace`; nothing: all of them explain
// less.
std::optional<Index> components_that_explain(double fraction, const Vector& eigenvalues, double trace);

// How many of the computed eigenvalues (descending) to keep. Throws Error(InvalidArgument) if fewer than
// count lie above `rank_cutoff` times the first, or if they explain less than fraction of `trace`.
Index components_to_keep(const ComponentChoice& choice, const Vector& eigenvalues, double trace,
                         double rank_cutoff);

// Throws Error(InvalidArgument): so many components explain less than the share that was asked for. Says what
// helps: a higher limit only if the limit is what ended them.
[[noreturn]] void refuse_share(const ComponentChoice& choice, Index components, double explained);

}  // namespace choir
