// The largest (smallest) value of any node, entry by entry, in synchronous rounds.
//
//   const Vector largest = co_await max_consensus(node, mine, 2 * node.tree().height);
//
// After as many rounds as the diameter has hops every node knows it, exactly.
#pragma once

#include "choir/linalg/types.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir {

Task<Vector> max_consensus(Node& node, Vector value, Index rounds);
Task<Vector> min_consensus(Node& node, Vector value, Index rounds);

}  // namespace choir
