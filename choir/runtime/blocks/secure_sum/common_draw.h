// A random number that no node chooses: everybody commits to a contribution before anybody shows one. No
// network in here.
//
//   const DrawShare mine = DrawShare::fresh();
//   ...                                               // all learn all commitments, then all shares
//   const Hash drawn = drawn_from(commitments, shares);         // of all nodes, ascending; the same
//   everywhere
//
// Nobody knows it before the last share is shown, and who has not shown its share yet can no longer change
// it: all that is left is to end the run.
#pragma once

#include <array>
#include <cstddef>

#include "choir/crypto/fingerprint.h"
#include "choir/linalg/types.h"
#include "choir/runtime/blocks/secure_sum/words.h"

namespace choir {

struct DrawShare {
  std::array<std::byte, 32> bytes = {};

  static DrawShare fresh();  // from the system's randomness
  Hash commitment(NodeId owner) const;
};

// The shares of as many nodes as there are commitments, a node's id above either in each column; ids ascend.
// Throws Error(BadData) that names the node whose share is not the one that it committed to, and
// Error(PeerLost) that of a node which shows none.
Hash drawn_from(const Words& commitments, const Words& shares);

}  // namespace choir
