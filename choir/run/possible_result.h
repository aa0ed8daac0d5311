// The last look at a result before anybody reads it: what no data have is not shown as an answer.
//
//   require_possible(result);          // throws Error(PeerLost): "the components explain 303% of the
//   variance ..."
#pragma once

#include "choir/run/result.h"

namespace choir {

// Shares of the variance are not negative and add up to 1 at most.
void require_possible(const Result& result);

}  // namespace choir
