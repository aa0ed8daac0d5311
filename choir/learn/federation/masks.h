// What makes a device's words unreadable, and what gives their total back. No network in here.
//
//   DeviceMasks masks(3);                                   // at device 3, with a fresh pair of keys
//   masks.learn(roster);                                    // everybody's public keys
//   masks.hide(words, number, {1, 3, 4, 7});                // this attempt asked these
//   masks.agree(number, {1, 3, 7}, min_devices);            // it is willing to unmask the total of these
//   masks.reveal_shared();                                  // seeds of the masks shared with 4
//   masks.reveal_own();                                     // that of its own mask
//
//   remove_masks(total, 3, seeds, {4});                     // at the server, for each device
//
// Its own seed is also dealt in shares to its partners (shamir.h), sealed for each, so that a total can be
// had if a device is lost when others have revealed theirs already.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "choir/crypto/secret.h"
#include "choir/learn/federation/survivors.h"
#include "choir/linalg/types.h"
#include "choir/runtime/blocks/secure_sum/pair_masks.h"
#include "choir/runtime/blocks/secure_sum/partners.h"
#include "choir/runtime/blocks/secure_sum/signed_roster.h"
#include "choir/runtime/blocks/secure_sum/words.h"

namespace choir {

// What devices sign their keys for.
inline constexpr const char* device_key_purpose = "federation: key of a device";
inline constexpr const char* device_pairs_purpose = "federation: pair of devices";

class DeviceMasks {
 public:
  explicit DeviceMasks(NodeId self) : pairs_(self, device_pairs_purpose) {}

  Words introduction() const { return pairs_.introduction(); }  // a record of its own public key
  // As PairMasks::learn does; of all devices.
  void learn(const SignedRoster& roster);
  Index roster_size() const { return std::ssize(roster_); }

  // Adds a fresh mask of its own and one for each of its partners among the devices that were asked, for the
  // attempt of that number. Throws Error(BadData) if this device is not among the asked, one is that the
  // roster does not name, or the number is not above all before: a mask is used once.
  void hide(std::span<std::int64_t> words, std::uint64_t number, std::vector<NodeId> asked);

  // What this device signs if the total is to be of these answers. Nothing, if the request is for another
  // attempt, for the second time, does not have this device's answer, or those of so few partners that it
  // would hardly be hidden among others: then its own mask must stay. Throws Error(BadData) for fewer answers
  // than min_devices or such that nobody asked for.
  std::optional<Survivors> agree(std::uint64_t number, const std::vector<NodeId>& answered,
                                 Index min_devices);
  // What it agreed to in the attempt of that number, as long as its own seed is not revealed.
  const Survivors* agreed(std::uint64_t number) const;
  // The seeds that the server needs for the total it agreed to: of the masks shared with silent partners, and
  // of its own, once.
  Words reveal_shared();
  Words reveal_own();

  // Shares of its own seed for all its partners in this attempt, sealed: ids above words that they alone can
  // open. None if they are too few to get the seed back.
  Words dealt();
  // Of such words that were dealt to this device by lost ones whose answers are in the total: their shares.
  // Nothing unless its own seed is revealed for that attempt; no share of a device without an answer in it.
  std::optional<Words> shares_for(std::uint64_t number, const WordsView& sealed);

 private:
  struct Attempt {
    std::uint64_t number = 0;
    std::vector<NodeId> asked;
    std::vector<NodeId> partners;  // of these
    Secret own_seed{0};
    std::optional<Survivors> survivors = {};  // agreed to
    bool revealed = true;
  };
  void seal_or_open(Words& words, NodeId dealer, NodeId holder);

  PairMasks pairs_;
  std::vector<NodeId> roster_;
  Hash roster_hash_ = {};
  MaskPartners partners_;
  Attempt attempt_;
};

// How many shares give a device's own seed back: of two sets of survivors both would need that of an honest
// partner. Nothing if its partners are fewer.
std::optional<Index> share_threshold(Index partners, Index asked, Index roster);
// A device's own seed from its partners' shares (`partners` ascending): the record that it did not send.
// Throws Error(BadData) for a share of somebody else.
Words seed_from_shares(NodeId lost, const std::vector<NodeId>& partners,
                       const std::map<NodeId, Words>& shares, Index threshold);

// Takes from a sum of words what the seeds of one device stand for. Throws Error(BadData) unless they are of
// its own mask and of those that it shares with silent partners.
void remove_masks(std::span<std::int64_t> total, NodeId device, const WordsView& seeds,
                  const std::vector<NodeId>& silent_partners);

}  // namespace choir
