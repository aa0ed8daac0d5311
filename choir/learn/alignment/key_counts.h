// How many keys each party brings, told to all before any key leaves in any form: a set that travels must
// have the announced size, and nobody may bring more than all agreed to.
#pragma once

#include <vector>

#include "choir/linalg/types.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir {

// By node. Throws Error(BadData) at all nodes if one announces more than `max_keys`, and names it. 2 (J - 1)
// messages of kind control.
Task<std::vector<Index>> key_counts(Node& node, Index own, Index max_keys);

}  // namespace choir
