// What makes a device's words unreadable, and what gives their total back. No network in here.
//
//   DeviceMasks masks(3);                                   // at device 3, with a fresh pair of keys
//   masks.learn(table);                                     // everybody's public keys
//   masks.hide(words, number, {1, 3, 4, 7});                // this attempt asked these
//   masks.reveal(number, {1, 3, 7}, min_devices);           // seeds: its own mask's, and that shared with 4
//
//   remove_masks(total, 3, seeds, {4});                     // at the server, for each device
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "choir/crypto/sealed_box.h"
#include "choir/learn/alignment/words.h"
#include "choir/linalg/types.h"

namespace choir {

// Columns of tables: a device's id above its public key, or above a seed.
inline constexpr Index key_record = 1 + words_in(sizeof(PublicKey));

inline std::span<std::int64_t> span_of(Words& words) {
  return {words.data(), static_cast<std::size_t>(words.size())};
}
inline std::span<const std::int64_t> span_of(const WordsView& words) {
  return {words.data(), static_cast<std::size_t>(words.size())};
}

class DeviceMasks {
 public:
  explicit DeviceMasks(NodeId self) : self_(self), keys_(KeyPair::fresh()) {}

  Words introduction() const;  // a record of its own public key
  // Agrees with all whose keys are new. Throws Error(BadData) if the table has another key of this device or
  // another one of a device than before, and for keys that are none.
  void learn(const WordsView& table);

  // Adds a fresh mask of its own and one for each other device that was asked, for the attempt of that
  // number. Throws Error(BadData) if this device or one without a key is among the asked, or the number is
  // not above all before: a mask is used once.
  void hide(std::span<std::int64_t> words, std::uint64_t number, std::vector<NodeId> asked);

  // The table of seeds that the server needs when it has these answers: of its own mask first, then of those
  // shared with the silent. Nothing, if the request is for another attempt, for the second time, or does not
  // have this device's answer: then its own mask must stay. Throws Error(BadData) for fewer answers than
  // min_devices or such that nobody asked for.
  std::optional<Words> reveal(std::uint64_t number, const std::vector<NodeId>& answered, Index min_devices);

 private:
  Secret shared_seed(NodeId other) const;

  struct Attempt {
    std::uint64_t number = 0;
    std::vector<NodeId> asked;
    Secret own_seed{0};
    bool revealed = true;
  };
  struct Peer {
    PublicKey key;
    Secret agreed;
  };
  NodeId self_;
  KeyPair keys_;
  std::map<NodeId, Peer> peers_;
  Attempt attempt_;
};

// Takes from a sum of words what the seeds of one device stand for. Throws Error(BadData) unless they are of
// its own mask and of those that it shares with the silent.
void remove_masks(std::span<std::int64_t> total, NodeId device, const WordsView& seeds,
                  const std::vector<NodeId>& silent);

// Modulo 2^64.
void add_words(std::span<std::int64_t> total, std::span<const std::int64_t> words);

}  // namespace choir
