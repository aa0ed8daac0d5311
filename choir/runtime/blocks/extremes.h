// The largest (smallest) value of any node, entry by entry, in synchronous rounds.
//
//   const Vector largest = co_await max_consensus(node, mine, 2 * node.tree().height);
//
// After as many rounds as the diameter has hops every node knows it, exactly. An entry that is not a number
// at any node is not a number at all nodes in the end: nothing wrong hides behind something larger.
#pragma once

#include "choir/linalg/types.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir {

Task<Vector> max_consensus(Node& node, Vector value, Index rounds, Kind kind = Kind::own_statistics);
Task<Vector> min_consensus(Node& node, Vector value, Index rounds, Kind kind = Kind::own_statistics);

// The pure steps: like std::max and std::min, but not a number if either is not.
double larger(double a, double b);
double smaller(double a, double b);

}  // namespace choir
