// A seed that all nodes of a network share, for features that they draw alike.
//
//   const std::uint64_t seed = co_await agreed_seed(node);
#pragma once

#include <cstdint>

#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir {

// The root's. One control message per node.
Task<std::uint64_t> agreed_seed(Node& node);

}  // namespace choir
