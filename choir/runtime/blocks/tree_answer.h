// What the root makes of all nodes' messages, at every node: a tree_fold (tree_sum.h) where what comes down
// is not what went up.
//
//   const RootAnswer answer = [](const Message& all) { return all.as(Kind::totals); };      // at the root
//   const Message told = co_await tree_answer(node, node.tree(), mine, combine, answer);
//
// While the root waits for one node it tells the others, as in every fold: it is the lost node that is named.
#pragma once

#include <functional>

#include "choir/runtime/blocks/tree_sum.h"

namespace choir {

using RootAnswer = std::function<Message(const Message& all)>;
// All that comes down is of the kind `down`, the answer's.
Task<Message> tree_answer(Node& node, const TreePlace& tree, Message mine, Combine combine, RootAnswer answer,
                          Kind down = Kind::totals);

}  // namespace choir
