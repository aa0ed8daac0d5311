// Sums over the network of which no node on the way sees a part. README.md beside this says what that covers.
//
//   SecureSums sums = co_await open_secure_sums(node);
//   const std::optional<Matrix> total = co_await secure_sum_at_root(node, sums, mine);     // at the root
//   const Matrix told = co_await secure_sum(node, sums, mine);                             // at all nodes
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "choir/linalg/types.h"
#include "choir/runtime/blocks/secure_sum/pair_masks.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir {

struct SecureSums {
  PairMasks masks;
  std::vector<NodeId> partners;  // who this node shares masks with; partners.h
  std::uint64_t number = 0;      // of the last sum
};

// Everybody learns everybody's public key. Control messages.
Task<SecureSums> open_secure_sums(Node& node);

// `mine` has the same shape at all nodes. All nodes call the same sums in the same order. Throws
// Error(PeerLost) at the root if a node is missing, with nothing unmasked; Error(InvalidArgument) for entries
// that are no numbers.
Task<std::optional<Matrix>> secure_sum_at_root(Node& node, SecureSums& sums, Matrix mine);
Task<Matrix> secure_sum(Node& node, SecureSums& sums, Matrix mine);

}  // namespace choir
