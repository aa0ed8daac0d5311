#include "choir/runtime/blocks/tree_sum.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "choir/base/error.h"
#include "choir/runtime/blocks/extremes.h"
#include "choir/runtime/blocks/signs_of_life.h"

namespace choir {
namespace {

Message combined(const Node& node, const Combine& combine, const Message& mine, NodeId child,
                 const Message& received) {
  try {
    return combine(mine, received);
  } catch (const Error& cause) {
    throw Error(cause.category(), fmt::format("node {} cannot use what node {} sent it", node.id(), child),
                cause);
  }
}

enum class Children { go_on, wait_for_result };

Task<std::optional<Message>> collect(Node& node, TreePlace tree, Message mine, Combine combine,
                                     Channel channel, Children children) {
  SignsOfLife signs(node, Message(mine.kind()), channel, {});
  if (tree.parent != node.id()) signs.to.push_back(tree.parent);
  if (children == Children::wait_for_result) {  // also those whose sum is there but not yet looked at
    signs.to.insert(signs.to.end(), tree.children.begin(), tree.children.end());
  }
  for (const NodeId child : tree.children) {
    if (node.lost(node.position_of(child))) continue;
    const Heard heard = co_await hear_from(node, child, channel, signs);
    if (heard.whereabouts == Whereabouts::here) {
      mine = combined(node, combine, mine, child, heard.message);
    } else {
      node.give_up_on(child, heard.whereabouts == Whereabouts::ended ? "has ended without sending its sum"
                                                                     : "did not send its sum in time");
    }
  }
  if (tree.parent == node.id()) co_return mine;
  mine.on(channel, content_mark);
  send_unless_lost(node, tree.parent, mine);
  co_return std::nullopt;
}

[[noreturn]] void refuse_orphan(const Node& node, const TreePlace& tree, const char* what_happened) {
  fail(ErrorCategory::PeerLost,
       "node {} waits for the result of node {}, its parent in the tree, which {}; a tree needs every node",
       node.id(), tree.parent, what_happened);
}

Task<Message> spread(Node& node, TreePlace tree, Message message, Channel channel) {
  if (tree.parent != node.id()) {
    if (node.lost(node.position_of(tree.parent))) refuse_orphan(node, tree, "was lost before");
    SignsOfLife signs(node, Message(message.kind()), channel, tree.children);
    const Heard heard = co_await hear_from(node, tree.parent, channel, signs);
    if (heard.whereabouts == Whereabouts::ended) refuse_orphan(node, tree, "has ended");
    if (heard.whereabouts == Whereabouts::silent) refuse_orphan(node, tree, "did not send it in time");
    message = heard.message;
  }
  message.on(channel, content_mark);
  for (const NodeId child : tree.children) send_unless_lost(node, child, message);
  co_return message;
}

// All nodes are told what the root answers in the end.
Task<Message> fold(Node& node, TreePlace tree, Message mine, Combine combine, Channel channel,
                   RootAnswer answer) {
  const std::optional<Message> all =
      co_await collect(node, tree, mine, std::move(combine), channel, Children::wait_for_result);
  Message told(mine.kind());
  if (all) told = answer(*all);
  const Message result = co_await spread(node, tree, told, channel);
  co_return result;
}

RootAnswer unchanged_but_of_kind(Kind kind) {
  return [kind](const Message& all) { return all.as(kind); };
}

Message of_matrix(Matrix matrix, Kind kind) {
  Message message(kind);
  message.array(Array(std::move(matrix)));
  return message;
}

// Folds matrices of one shape, entry by entry.
template <class Fold>
Combine entrywise(const Fold& fold) {
  return [fold](const Message& mine, const Message& child) {
    const auto a = mine.array(0).matrix();
    const auto b = child.array(0).matrix();
    if (a.rows() != b.rows() || a.cols() != b.cols()) {
      fail(ErrorCategory::BadData, "it is {} x {} where {} x {} was expected", b.rows(), b.cols(), a.rows(),
           a.cols());
    }
    Matrix folded = fold(a, b);
    return of_matrix(std::move(folded), mine.kind());
  };
}

Combine entrywise_sum() {
  return entrywise([](const auto& a, const auto& b) -> Matrix { return a + b; });
}

Task<std::optional<Matrix>> unpacked(Task<std::optional<Message>> folding) {
  const std::optional<Message> folded = co_await folding;
  if (!folded) co_return std::nullopt;
  Matrix sum = folded->array(0).matrix();
  co_return sum;
}

Task<Matrix> fold_over_tree(Node& node, TreePlace tree, Matrix mine, Kind kind, Kind down, Combine combine) {
  const Channel channel = node.open_reliable_channel();
  const Index rows = mine.rows();
  const Index columns = mine.cols();
  const Message message = of_matrix(std::move(mine), kind);
  const Message result =
      co_await fold(node, tree, message, std::move(combine), channel, unchanged_but_of_kind(down));
  const auto folded = result.array(0).matrix();
  if (folded.rows() != rows || folded.cols() != columns) {
    fail(ErrorCategory::BadData, "node {} got a result of {} x {} from node {} where {} x {} was expected",
         node.id(), folded.rows(), folded.cols(), tree.parent, rows, columns);
  }
  Matrix copy = folded;
  co_return copy;
}

}  // namespace

Task<std::optional<Message>> convergecast(Node& node, const TreePlace& tree, Message mine, Combine combine) {
  return collect(node, tree, std::move(mine), std::move(combine), node.open_reliable_channel(),
                 Children::go_on);
}

Task<Message> broadcast(Node& node, const TreePlace& tree, Message message) {
  return spread(node, tree, std::move(message), node.open_reliable_channel());
}

Task<Message> tree_fold(Node& node, const TreePlace& tree, Message mine, Combine combine) {
  const Kind kind = mine.kind();
  return tree_answer(node, tree, std::move(mine), std::move(combine), unchanged_but_of_kind(kind));
}

Task<Message> tree_answer(Node& node, const TreePlace& tree, Message mine, Combine combine,
                          RootAnswer answer) {
  return fold(node, tree, std::move(mine), std::move(combine), node.open_reliable_channel(),
              std::move(answer));
}

Task<Matrix> tree_sum(Node& node, const TreePlace& tree, Matrix mine, Kind kind) {
  const Kind down = kind == Kind::own_statistics ? Kind::totals : kind;
  return fold_over_tree(node, tree, std::move(mine), kind, down, entrywise_sum());
}

Task<std::optional<Matrix>> sum_at_root(Node& node, const TreePlace& tree, Matrix mine, Kind kind) {
  return unpacked(convergecast(node, tree, of_matrix(std::move(mine), kind), entrywise_sum()));
}

Task<Matrix> tree_max(Node& node, const TreePlace& tree, Matrix mine, Kind kind) {
  return fold_over_tree(
      node, tree, std::move(mine), kind, kind,
      entrywise([](const auto& a, const auto& b) -> Matrix { return a.binaryExpr(b, &larger); }));
}

}  // namespace choir
