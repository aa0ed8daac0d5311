// Masks that two nodes have in common: what one adds, the other subtracts. No network in here.
//
//   PairMasks masks(3, "purpose of this group");              // at node 3, with a fresh pair of keys
//   masks.learn(table);                                       // everybody's public keys
//   masks.hide(words, 7, {1, 4});                             // with nodes 1 and 4; number 7 is used once
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "choir/crypto/sealed_box.h"
#include "choir/linalg/types.h"
#include "choir/runtime/blocks/secure_sum/signed_roster.h"
#include "choir/runtime/blocks/secure_sum/words.h"

namespace choir {

// A node's id above its public key: a column of a table of keys.
inline constexpr Index key_record = 1 + words_in(sizeof(PublicKey));

inline std::span<std::int64_t> span_of(Words& words) {
  return {words.data(), static_cast<std::size_t>(words.size())};
}
inline std::span<const std::int64_t> span_of(const WordsView& words) {
  return {words.data(), static_cast<std::size_t>(words.size())};
}
inline std::span<std::uint64_t> as_unsigned(std::span<std::int64_t> words) {
  return {reinterpret_cast<std::uint64_t*>(words.data()), words.size()};
}

// Modulo 2^64.
void add_words(std::span<std::int64_t> total, std::span<const std::int64_t> words);

class PairMasks {
 public:
  PairMasks(NodeId self, std::string purpose)
      : self_(self), purpose_(std::move(purpose)), keys_(KeyPair::fresh()) {}

  NodeId self() const { return self_; }
  Words introduction() const { return record_of(self_, keys_.public_key); }
  // Throws Error(BadData) if the table has another key of this node or another one of a node than before.
  void learn(const WordsView& table);
  // The same with the keys of these nodes alone, from records that begin with them. All secrets from here on
  // are those of nodes that were told the same roster: who was told another one ends with others.
  void learn(const SignedRoster& roster, const std::vector<NodeId>& partners);

  // Of the mask of that number with another node; agrees with it the first time. Throws Error(BadData) if its
  // key is not known, or is none.
  Secret seed_with(NodeId other, std::uint64_t number) { return secret_with(other, "mask", number); }
  // Another one that the two have for that purpose.
  Secret secret_with(NodeId other, std::string_view purpose, std::uint64_t number);

  // One mask for each of the others. A number is for one use: the caller counts.
  void hide(std::span<std::int64_t> words, std::uint64_t number, const std::vector<NodeId>& others);

 private:
  struct Peer {
    PublicKey key;
    std::optional<Secret> agreed = {};
  };
  NodeId self_;
  std::string purpose_;
  std::string roster_;  // the hash of the signed one, if there is one
  KeyPair keys_;
  std::map<NodeId, Peer> peers_;
};

}  // namespace choir
