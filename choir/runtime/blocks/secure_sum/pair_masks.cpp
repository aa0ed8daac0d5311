#include "choir/runtime/blocks/secure_sum/pair_masks.h"

#include <algorithm>

#include "choir/base/error.h"
#include "choir/crypto/agreed_secret.h"
#include "choir/crypto/key_stream.h"

namespace choir {

void add_words(std::span<std::int64_t> total, std::span<const std::int64_t> words) {
  const std::span<std::uint64_t> sum = as_unsigned(total);
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += static_cast<std::uint64_t>(words[i]);
}

void PairMasks::learn(const WordsView& table) {
  for (Index i = 0; i < table.cols(); ++i) {
    const auto other = static_cast<NodeId>(table(0, i));
    const auto key = bytes_of<PublicKey>(table.col(i).tail(key_record - 1));
    const auto known = peers_.find(other);
    const PublicKey* expected = other == self_ ? &keys_.public_key : nullptr;
    if (known != peers_.end()) expected = &known->second.key;
    if (expected && *expected != key) {
      fail(ErrorCategory::BadData,
           "node {} received a public key of node {} that differs from the known one; somebody changes keys "
           "in transit",
           self_, other);
    }
    if (!expected) peers_.emplace(other, Peer{.key = key});
  }
}

void PairMasks::learn(const SignedRoster& roster, const std::vector<NodeId>& partners) {
  const auto wanted = [&](NodeId node) {
    return node == self_ || std::ranges::binary_search(partners, node);
  };
  for (std::size_t i = 0; i < roster.nodes().size(); ++i) {
    if (!wanted(roster.nodes()[i])) continue;
    const Words key = roster.records().col(static_cast<Index>(i)).head(key_record);
    learn(WordsView(key.data(), key_record, 1));
  }
  roster_ = ", roster ";
  for (const std::byte byte : roster.hash()) roster_ += static_cast<char>(byte);
  for (auto& [node, peer] : peers_) peer.agreed.reset();
}

Secret PairMasks::secret_with(NodeId other, std::string_view purpose, std::uint64_t number) {
  const auto peer = peers_.find(other);
  if (peer == peers_.end()) {
    fail(ErrorCategory::BadData,
         "node {} is to share a mask with node {}, whose public key it never received", self_, other);
  }
  std::optional<Secret>& agreed = peer->second.agreed;
  if (!agreed) agreed = agreed_secret(keys_, peer->second.key, purpose_ + roster_);
  return derived_secret(*agreed, purpose, number);
}

void PairMasks::hide(std::span<std::int64_t> words, std::uint64_t number, const std::vector<NodeId>& others) {
  for (const NodeId other : others) {
    add_stream(seed_with(other, number), as_unsigned(words), self_ < other ? Sign::plus : Sign::minus);
  }
}

}  // namespace choir
