#include "choir/runtime/mpi/placement.h"

#include <fmt/format.h>

namespace choir {

std::string Placement::describe_block(int rank) const {
  const NodeRange nodes = block(rank);
  if (nodes.size() == 0) return "no nodes";
  if (nodes.size() == 1) return fmt::format("node {}", nodes.first);
  return fmt::format("nodes {} to {}", nodes.first, nodes.last - 1);
}

}  // namespace choir
