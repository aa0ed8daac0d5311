#include "choir/learn/alignment/shared_secret.h"

#include <array>
#include <optional>
#include <utility>

#include "choir/crypto/keyed_hash.h"
#include "choir/crypto/sealed_box.h"
#include "choir/runtime/blocks/secure_sum/words.h"
#include "choir/runtime/blocks/tree_sum.h"

namespace choir {
namespace {

using Box = std::array<std::byte, hash_key_bytes + seal_overhead>;

// A node's id above what is said by it, or to it.
constexpr Index introduction_words = 1 + words_in(sizeof(PublicKey));
constexpr Index box_words = 1 + words_in(sizeof(Box));

Words record(std::int64_t node, std::span<const std::byte> bytes) {
  Words words(1 + words_in(bytes.size()), 1);
  words << node, words_of(bytes);
  return words;
}

Message side_by_side(const Message& mine, const Message& child) {
  const WordsView a = table_of(mine, introduction_words);
  const WordsView b = table_of(child, introduction_words);
  Words both(introduction_words, a.cols() + b.cols());
  both << a, b;
  return table_message(std::move(both));
}

Message sealed_for_each(const Secret& secret, const Message& introductions) {
  const WordsView nodes = table_of(introductions, introduction_words);
  Words boxes(box_words, nodes.cols());
  for (Index i = 0; i < nodes.cols(); ++i) {
    const auto public_key = bytes_of<PublicKey>(nodes.col(i).tail(introduction_words - 1));
    boxes.col(i) = record(nodes(0, i), seal(secret.bytes(), public_key));
  }
  return table_message(std::move(boxes));
}

Secret opened(NodeId node, const Message& message, const KeyPair& own) {
  const WordsView boxes = table_of(message, box_words);
  for (Index i = 0; i < boxes.cols(); ++i) {
    if (boxes(0, i) == node) return open_box(bytes_of<Box>(boxes.col(i).tail(box_words - 1)), own);
  }
  fail(ErrorCategory::PeerLost,
       "node {} did not get the secret that the parties share: its public key was lost on the way to node 0; "
       "start the run again",
       node);
}

}  // namespace

Task<Secret> shared_secret(Node& node) {
  const KeyPair own = KeyPair::fresh();
  const Message introduction = table_message(record(node.id(), own.public_key));
  const Combine combine = side_by_side;
  const std::optional<Message> introductions =
      co_await convergecast(node, node.tree(), introduction, combine);
  Message boxes(Kind::control);
  if (introductions) boxes = sealed_for_each(Secret::random(hash_key_bytes), *introductions);
  const Message received = co_await broadcast(node, node.tree(), boxes);
  co_return opened(node.id(), received, own);
}

}  // namespace choir
