// The keys of a run's nodes, each signed by the identity of its owner: whoever passes them on cannot replace
// one, and who was told another list ends with other secrets. No network in here.
//
//   const Words mine = signed_record(node.identity(), record, "masked sums");   // record_of(id, key) before
//   ...                                                                         // all nodes learn all
//   records const SignedRoster roster(table, node.identity(), "masked sums");           // checks every
//   signature masks.learn(roster);                                                        // PairMasks
//
// A record is a node's id above what it says: words that mean something to whoever asked for them, its public
// key first.
#pragma once

#include <string_view>
#include <vector>

#include "choir/crypto/fingerprint.h"
#include "choir/crypto/signature.h"
#include "choir/linalg/types.h"
#include "choir/runtime/blocks/secure_sum/words.h"
#include "choir/runtime/identity.h"

namespace choir {

inline constexpr Index signature_words = words_in(sizeof(Signature));

// The columns of a table of records in the order of their nodes.
Words in_order_of_nodes(const WordsView& table);

// The record above its owner's signature for that purpose.
Words signed_record(const Identity& owner, const Words& record, std::string_view purpose);

class SignedRoster {
 public:
  // A table of signed records in any order. Throws Error(BadData), with the node's id, for records that their
  // nodes have not signed for that purpose, of nodes that do not exist, and for two of one node.
  // Error(PeerLost) if any node's is missing, or, where some may be (LostPeers::proceed), half of all nodes'
  // are: two rosters that have no node in common would be two totals.
  SignedRoster(const WordsView& table, const Identity& reader, std::string_view purpose,
               LostPeers missing = LostPeers::fail)
      : SignedRoster(table, reader, purpose, least_of(reader, missing)) {}
  // Of whoever is there: the caller knows how many are enough.
  static SignedRoster of_some(const WordsView& table, const Identity& reader, std::string_view purpose) {
    return {table, reader, purpose, std::size_t{0}};
  }

  const std::vector<NodeId>& nodes() const { return nodes_; }  // ascending
  const Words& records() const { return records_; }            // of these, without signatures
  // Of the purpose, and of ids, identities and records. The same at two nodes only if they were told the
  // same.
  const Hash& hash() const { return hash_; }

 private:
  SignedRoster(const WordsView& table, const Identity& reader, std::string_view purpose, std::size_t least);
  static std::size_t least_of(const Identity& reader, LostPeers missing) {
    const std::size_t all = reader.everybody.size();
    return missing == LostPeers::fail ? all : all / 2 + 1;
  }

  std::vector<NodeId> nodes_;
  Words records_;
  Hash hash_ = {};
};

}  // namespace choir
