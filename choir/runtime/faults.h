// What an engine records about faults in a run: which node continued without which, what happened to nodes,
// and what happened to messages that did not simply arrive. RunReport has them.
//
//   for (const PeerLoss& loss : report.losses) print(loss.node, loss.peer, loss.reason);
#pragma once

#include <cstdint>
#include <string>
#include <tuple>

#include "choir/base/deadline.h"
#include "choir/base/types.h"

namespace choir {

// A neighbour that a node went on without.
struct PeerLoss {
  NodeId node = 0;
  NodeId peer = 0;
  std::uint64_t round = 0;
  std::string reason;  // "ended after 12 rounds", "missed its deadline"
  Time at{};           // when the node noticed, on the engine's clock

  // Clocks differ between engines and runs; what was lost does not.
  friend bool operator==(const PeerLoss& a, const PeerLoss& b) {
    return std::tie(a.node, a.peer, a.round, a.reason) == std::tie(b.node, b.peer, b.round, b.reason);
  }

  template <class Visitor>
  void fields(Visitor& visit) {
    visit(node, peer, round, reason, at);
  }
};

// What an engine did to a node, or saw happen to it.
struct NodeEvent {
  enum class What : std::uint8_t {
    crashed,
    joined,   // later than the others
    cut_off,  // from nodes beyond a partition
  };
  What what = What::crashed;
  NodeId node = 0;
  Time at{};
  Time until{};             // cut_off: when it could be reached again, or the run ended; others: at
  std::uint64_t round = 0;  // synchronous rounds that the node had begun
  friend bool operator==(const NodeEvent&, const NodeEvent&) = default;
};

// Messages of one sender.
struct MessageFaults {
  std::uint64_t lost = 0;        // never arrived
  std::uint64_t sent_again = 0;  // lost on a reliable link, which tried again until they arrived
  std::uint64_t repeated = 0;    // arrived twice
  std::uint64_t discarded = 0;   // arrived at a node that had crashed, or had not joined yet
  friend bool operator==(const MessageFaults&, const MessageFaults&) = default;
};

}  // namespace choir
