// Whether a party's samples are in node 0's order, told without giving anybody a hash to try names against:
// every order is a point (crypto/blinding.h) that its owner blinds, and only equal ones come out equal.
#pragma once

#include <string>
#include <vector>

#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir {

// All nodes call it, those without keys too; they get no. A node learns this one bit of node 0's order, which
// it must guess completely to use it. 2 (J - 1) messages of kind identifiers: up, a point of each node; down,
// each of them blinded by node 0 as well, and node 0's own.
// Throws Error(PeerLost) at a node whose point never reached node 0.
Task<bool> has_order_of_root(Node& node, std::vector<std::string> keys);

}  // namespace choir
