#include "choir/learn/alignment/alignment.h"

#include <algorithm>
#include <utility>

#include "choir/base/error.h"
#include "choir/learn/alignment/order_comparison.h"
#include "choir/runtime/blocks/secure_sum/words.h"
#include "choir/runtime/blocks/tree_sum.h"

namespace choir {
namespace {

constexpr Index named_at_most = 5;

// What a node says about its samples, and the others compare with their own.
struct Statement {
  Index samples = 0;
  bool keyed = false;
};

Statement statement(const SampleOrder& order) {
  return {.samples = order.samples, .keyed = !order.keys.empty()};
}

Message to_message(const Statement& said) {
  Message message(Kind::control);
  return message.integer(said.samples).integer(said.keyed ? 1 : 0);
}

Statement to_statement(const Message& message) {
  return {.samples = message.integer(0), .keyed = message.integer(1) != 0};
}

enum class Difference : std::int64_t { none, samples, no_keys, has_keys, order };

Difference compare(const Statement& own, const Statement& first, bool same_order) {
  if (own.samples != first.samples) return Difference::samples;
  if (own.keyed != first.keyed) return own.keyed ? Difference::has_keys : Difference::no_keys;
  return same_order ? Difference::none : Difference::order;
}

// Nodes that differ, ascending, as far as a sentence would name them: a column each of node, how, samples.
constexpr Index difference_words = 3;

Message to_message(Words differences, std::int64_t count) {
  Message message = table_message(std::move(differences));
  message.integer(count);
  return message;
}

Message own_difference(NodeId node, Index samples, Difference difference) {
  if (difference == Difference::none) return to_message(Words(difference_words, 0), 0);
  Words column(difference_words, 1);
  column << node, static_cast<std::int64_t>(difference), samples;
  return to_message(std::move(column), 1);
}

Message all_differences(const Message& mine, const Message& child) {
  const WordsView a = table_of(mine, difference_words);
  const WordsView b = table_of(child, difference_words);
  Words both(difference_words, a.cols() + b.cols());
  both << a, b;
  std::vector<Index> order(static_cast<std::size_t>(both.cols()));
  for (Index i = 0; i < both.cols(); ++i) order[static_cast<std::size_t>(i)] = i;
  std::ranges::sort(order, {}, [&](Index i) { return both(0, i); });
  order.resize(std::min(order.size(), static_cast<std::size_t>(named_at_most)));
  return to_message(both(Eigen::all, order), mine.integer(0) + child.integer(0));
}

std::string sentence_of(std::int64_t node, Difference difference, std::int64_t samples) {
  switch (difference) {
    case Difference::samples:
      return fmt::format("node {} has {} samples", node, samples);
    case Difference::no_keys:
      return fmt::format("node {} has no keys for its samples, but node 0 has keys", node);
    case Difference::has_keys:
      return fmt::format("node {} has keys for its samples, but node 0 has none", node);
    default:
      return fmt::format("node {} has different samples, or the same samples in another order", node);
  }
}

void refuse_differences(const Message& message, const Statement& first) {
  const WordsView differences = table_of(message, difference_words);
  const std::int64_t count = message.integer(0);
  if (count == 0) return;
  std::string text;
  for (Index i = 0; i < differences.cols(); ++i) {
    if (i > 0) text += "; ";
    text += sentence_of(differences(0, i), static_cast<Difference>(differences(1, i)), differences(2, i));
  }
  const std::int64_t more = count - differences.cols();
  if (more > 0) text += fmt::format("; and {} more nodes differ", more);
  fail(ErrorCategory::BadData,
       "the parties do not hold the same samples in the same order as node 0, which has {}: {}; bring them "
       "into one order, or use --key to restore the order from a key column at every party",
       first.samples, text);
}

void check(NodeId node, const SampleOrder& order) {
  if (order.keys.empty() || std::ssize(order.keys) == order.samples) return;
  fail(ErrorCategory::InvalidArgument, "node {} has {} samples but {} keys; every sample needs a key", node,
       order.samples, order.keys.size());
}

}  // namespace

SampleOrder SampleOrder::numbered(Index samples) {
  SampleOrder order{.keys = {}, .samples = samples};
  for (Index n = 0; n < samples; ++n) order.keys.push_back(std::to_string(n));
  return order;
}

SampleOrder SampleOrder::known_from(std::vector<std::string> keys, Index samples, bool own_file) {
  if (!keys.empty()) return {.keys = std::move(keys), .samples = samples};
  return own_file ? assumed(samples) : numbered(samples);
}

Task<void> require_same_order(Node& node, SampleOrder order) {
  check(node.id(), order);
  const Statement own = statement(order);
  const Message mine = to_message(own);
  const Message from_root = co_await broadcast(node, node.tree(), mine);  // node 0 is the root
  const Statement first = to_statement(from_root);
  bool same_order = true;
  if (first.keyed) same_order = co_await has_order_of_root(node, std::move(order.keys));
  const Message difference = own_difference(node.id(), own.samples, compare(own, first, same_order));
  const Combine combine = all_differences;
  const Message differences = co_await tree_fold(node, node.tree(), difference, combine);
  refuse_differences(differences, first);
}

}  // namespace choir
