#include "choir/run/possible_result.h"

#include "choir/base/error.h"

namespace choir {
namespace {

constexpr double rounding = 1e-3;  // and what averages have not agreed on yet

}  // namespace

void require_possible(const Result& result) {
  const Vector& shares = result.explained_variance_ratio;
  if (shares.size() == 0 || shares.hasNaN()) return;  // no variance, no shares of it
  if (shares.minCoeff() >= -rounding && shares.sum() <= 1 + rounding) return;
  fail(ErrorCategory::PeerLost,
       "the components explain {:.3g}% of the variance, the least of them {:.3g}%, which no samples have: a "
       "node lies "
       "or is broken, and sums over all nodes do not show which; nothing was kept",
       100 * shares.sum(), 100 * shares.minCoeff());
}

}  // namespace choir
