// Sums over the network of which no node on the way sees a part. README.md beside this says what that covers.
//
//   MaskedSums sums = co_await open_masked_sums(node);
//   const std::optional<Matrix> total = co_await masked_sum_at_root(node, sums, mine);     // at the root
//   const Matrix told = co_await masked_sum(node, sums, mine);                             // at all nodes
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "choir/learn/masked_sum/pair_masks.h"
#include "choir/linalg/types.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir {

struct MaskedSums {
  PairMasks masks;
  std::vector<NodeId> partners;  // who this node shares masks with; partners.h
  std::uint64_t number = 0;      // of the last sum
};

// Everybody learns everybody's public key. Control messages.
Task<MaskedSums> open_masked_sums(Node& node);

// `mine` has the same shape at all nodes. All nodes call the same sums in the same order. Throws
// Error(PeerLost) at the root if a node is missing, with nothing unmasked; Error(InvalidArgument) for entries
// that are no numbers.
Task<std::optional<Matrix>> masked_sum_at_root(Node& node, MaskedSums& sums, Matrix mine);
Task<Matrix> masked_sum(Node& node, MaskedSums& sums, Matrix mine);

}  // namespace choir
