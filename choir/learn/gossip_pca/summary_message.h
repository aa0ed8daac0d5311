// A summary on its way between nodes.
//
//   Message message = pack(summary, participants.words(), Kind::own_statistics);
//   const PackedSummary theirs = unpack(message, rule, own.dimension(), nodes, from);
//
// The basis is shared with the sender's summary, not copied, as long as both are in one process.
#pragma once

#include <limits>

#include "choir/learn/gossip_pca/participants.h"
#include "choir/learn/gossip_pca/summary.h"
#include "choir/runtime/message.h"

namespace choir::gossip_pca {

struct PackedSummary {
  Summary summary;
  Participants::Words participants;
};

Message pack(const Summary& summary, const Participants::Words& participants, Kind kind);

// What the receiver expects of a neighbour's summary.
struct SummaryShape {
  SummaryRule rule;
  Index dimension = 0;
  Index nodes = 0;                                                  // J
  double largest_square = std::numeric_limits<double>::infinity();  // of a sample's length; plausibility.h
};
// Throws Error(BadData) naming `from` for a summary of other dimensions, Error(PeerLost) naming it for one
// that no samples of this shape have.
PackedSummary unpack(const Message& message, const SummaryShape& shape, NodeId from);

}  // namespace choir::gossip_pca
