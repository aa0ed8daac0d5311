// What left each node: messages and bytes by kind, per node and per link. Kept identically by every engine.
//
//   const Traffic all = report.ledger.total(Kind::raw_samples);
//   if (all.messages == 0) ...                            // no message held raw samples
//
// A message counts when it is sent, with its encoded size, whether or not the network then loses it.
// Memory: 16 bytes for each direction of a link and each kind the method may send.
#pragma once

#include <cstdint>
#include <vector>

#include "choir/graph/graph.h"
#include "choir/runtime/kind.h"

namespace choir {

struct Traffic {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  Traffic& operator+=(const Traffic& other) {
    messages += other.messages;
    bytes += other.bytes;
    return *this;
  }
  friend bool operator==(const Traffic&, const Traffic&) = default;

  template <class Visitor>
  void fields(Visitor& visit) {
    visit(messages, bytes);
  }
};

class Ledger {
 public:
  Ledger() = default;
  Ledger(const Graph& graph, KindSet kinds);

  KindSet kinds() const { return kinds_; }
  Index nodes() const { return static_cast<Index>(offsets_.size()) - 1; }

  // One message from a node to its neighbour of that position. Different nodes may count at the same time.
  void count(NodeId from, Index position, Kind kind, std::size_t bytes) {
    Traffic& entry = entries_[entry_of(from, position, kind)];
    ++entry.messages;
    entry.bytes += bytes;
  }

  Traffic total() const;
  Traffic total(Kind kind) const;
  Traffic sent_by(NodeId node) const;
  Traffic sent_by(NodeId node, Kind kind) const;
  // What went from a node to its neighbour of that position in graph.neighbors(node).
  Traffic link(NodeId from, Index position, Kind kind) const;

  // The entries, for engines that add up the ledgers of several processes.
  std::vector<Traffic>& entries() { return entries_; }
  const std::vector<Traffic>& entries() const { return entries_; }

  friend bool operator==(const Ledger&, const Ledger&) = default;

 private:
  std::size_t entry_of(NodeId from, Index position, Kind kind) const {
    const Index link = offsets_[static_cast<std::size_t>(from)] + position;
    return static_cast<std::size_t>(link) * columns_ + column_[static_cast<std::size_t>(kind)];
  }

  KindSet kinds_;
  std::size_t columns_ = 0;                        // one per declared kind
  std::array<std::uint8_t, kind_count> column_{};  // of each kind
  std::vector<Index> offsets_;                     // J + 1, the graph's
  std::vector<Traffic> entries_;                   // links x columns
};

}  // namespace choir
