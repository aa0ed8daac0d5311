// With whom a node shares masks: with all others in networks of up to 64 nodes, and beyond with so many that
// nearly surely one of them is neither in league with the reader nor silent. No network in here.
//
//   const MaskPartners partners(ids, seed);               // the same at all nodes
//   partners.of(3, taking_part);                          // whom it names names it, too
//
// The nodes stand in a circle whose order is drawn from the seed, and everybody's partners are those that
// stand nearest to it among the nodes that take part (Bell et al. 2020).
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "choir/linalg/types.h"
#include "choir/runtime/blocks/secure_sum/words.h"

namespace choir {

inline constexpr Index most_complete = 64;  // nodes that all share masks with each other
// Of the nodes: in league with the reader, or silent.
inline constexpr double bad_share = 1.0 / 3;
// Smallest even k for which all k partners of any node are bad with probability 2^-40 at most:
// k = (40 + log2 J) / log2(1 / bad_share). All other nodes if they are no more than most_complete.
Index partner_count(Index nodes);

class MaskPartners {
 public:
  MaskPartners() = default;
  MaskPartners(const std::vector<NodeId>& nodes, std::uint64_t seed);
  // The nodes of a table of public keys (pair_masks.h), in an order that nobody chooses who does not know the
  // other keys. A seed that all nodes commit to before they reveal it would be better: whoever publishes last
  // could try many keys.
  static MaskPartners from_keys(const WordsView& table);

  // `taking_part`: ascending. The partners of a node among them, ascending.
  std::vector<NodeId> of(NodeId self, const std::vector<NodeId>& taking_part) const;

 private:
  std::vector<NodeId> circle_;
  std::map<NodeId, std::size_t> place_;  // in the circle
};

}  // namespace choir
