// Which answers are in a total: one set, which most devices have signed. A server that tells devices
// different sets gets the masks of nobody, as two sets would each need the signatures of more than half of
// the honest.
//
//   const Words mine = signed_record(identity, survivors);          // at device identity's owner
//   require_signed(table, survivors, identity, roster);             // before any seed is revealed
#pragma once

#include <cstdint>
#include <vector>

#include "choir/crypto/fingerprint.h"
#include "choir/runtime/blocks/secure_sum/words.h"
#include "choir/runtime/identity.h"

namespace choir {

struct Survivors {
  std::uint64_t number = 0;  // of the attempt
  std::vector<NodeId> asked;
  std::vector<NodeId> answered;  // ascending, some of these
  Hash roster = {};              // of all devices' signed keys
};

// Of so many devices in league with the server the protocol stands.
Index most_colluding(Index roster);
// Smallest t with 2 t > asked + most_colluding(roster): two sets with so many signatures each have that of an
// honest device in common, which signs one.
Index quorum(Index asked, Index roster);

inline constexpr Index survivors_record = 1 + words_in(sizeof(Signature));
// A device's id above its signature.
Words signed_record(const Identity& signer, NodeId self, const Survivors& survivors);
// Throws Error(BadData) unless the table has a quorum's signatures, of different devices that answered, and
// no others.
void require_signed(const WordsView& table, const Survivors& survivors, const Identity& reader, Index roster);

}  // namespace choir
