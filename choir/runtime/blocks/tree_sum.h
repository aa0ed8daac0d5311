// Sums over the whole network along a tree: two messages a node whatever the diameter, and the same bits at
// every node, on every engine, for any number of threads.
//
//   const Matrix total = co_await tree_sum(node, node.tree(), mine);     // own_statistics up, totals down
//   const Matrix largest = co_await tree_max(node, node.tree(), mine);
//
// A child adds up its own value and its children's, in ascending order, and tells its parent; the root
// tells everybody the result. Event-driven: no rounds, nobody waits longer than the messages take.
#pragma once

#include <functional>
#include <optional>

#include "choir/linalg/types.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir {

// Folds the messages of a node's subtree into its own: combine(mine, child's), children ascending. Only the
// root gets the result, the others nothing.
using Combine = std::function<Message(const Message& mine, const Message& child)>;
Task<std::optional<Message>> convergecast(Node& node, const TreePlace& tree, Message mine, Combine combine);

// The root's message to all, from parent to child. The content of `message` matters at the root only, its
// kind is the same at all nodes.
Task<Message> broadcast(Node& node, const TreePlace& tree, Message message);

// Both in one: every node gets what all messages combine to.
Task<Message> tree_fold(Node& node, const TreePlace& tree, Message mine, Combine combine);
// The same, but what all are told is what the root answers to that, a message of the same kind.
using RootAnswer = std::function<Message(const Message& all)>;
Task<Message> tree_answer(Node& node, const TreePlace& tree, Message mine, Combine combine,
                          RootAnswer answer);

// A child that is lost is left out, with everything below it, if the policy allows it (Node::give_up_on); a
// lost parent is always an error. A child whose matrix has another shape is Error(BadData). Nodes that have
// to wait long tell those who wait for them that they are still there, so it is the lost node that is named.
// What travels to the root is of the given kind; a sum of own_statistics comes back as totals.
Task<Matrix> tree_sum(Node& node, const TreePlace& tree, Matrix mine, Kind kind = Kind::own_statistics);
// The sum at the root alone, nothing at the others: for what the root makes something smaller of.
Task<std::optional<Matrix>> sum_at_root(Node& node, const TreePlace& tree, Matrix mine,
                                        Kind kind = Kind::own_statistics);
Task<Matrix> tree_max(Node& node, const TreePlace& tree, Matrix mine, Kind kind = Kind::own_statistics);

}  // namespace choir
