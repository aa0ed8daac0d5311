// Small words that every room uses.
//
//   const Index samples = 1000;
//   const NodeId node = 3;
#pragma once

#include <cstddef>
#include <cstdint>

namespace choir {

using Index = std::ptrdiff_t;  // sizes and positions; Eigen's own index type
using NodeId = std::int32_t;   // 0 .. J-1

}  // namespace choir
