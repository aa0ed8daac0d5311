// The sums of a conversation, of which nobody on the way sees a part: words under masks
// (runtime/blocks/secure_sum), for nodes that may be missing.
//
//   std::optional<SecureSums> sums = co_await introduce(talk);                    // nothing: somebody is
//   missing const std::optional<Matrix> all = co_await add_up(talk, *sums, mine);         // the root's;
//   empty elsewhere
//
// Nodes that were missing for a while and are out of step have other masks: then words do not cancel, nothing
// is opened, and that is like somebody missing.
#pragma once

#include <optional>

#include "choir/learn/gossip_pca/conversation.h"
#include "choir/linalg/types.h"
#include "choir/runtime/blocks/secure_sum/secure_sum.h"
#include "choir/runtime/task.h"

namespace choir::gossip_pca {

// Fresh keys of all nodes. Throws Error(BadData) for keys that their nodes have not signed.
Task<std::optional<SecureSums>> introduce(Conversation talk);

// `mine` has the same shape at all nodes. Before the words go up, all are told the sum of every node's
// largest entry, which is above all entries: a masked sum as well.
Task<std::optional<Matrix>> add_up(Conversation talk, SecureSums sums, Matrix mine);

}  // namespace choir::gossip_pca
