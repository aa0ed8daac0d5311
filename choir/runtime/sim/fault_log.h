// What goes wrong in a simulated network, in a few numbers per node: what its trace says, short enough to be
// kept in every run.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "choir/runtime/engine.h"
#include "choir/runtime/sim/sim_options.h"

namespace choir {

class FaultLog {
 public:
  explicit FaultLog(Index nodes) : messages_(static_cast<std::size_t>(nodes)) {}

  void note(NodeEvent::What what, NodeId node, Time at, std::uint64_t round = 0) {
    events_.push_back({.what = what, .node = node, .at = at, .until = at, .round = round});
  }
  MessageFaults& of(NodeId sender) { return messages_[static_cast<std::size_t>(sender)]; }

  // Completes a report at the end of the run; the log is empty then.
  void move_to(RunReport& report, const std::vector<PartitionFault>& partitions, Time end) {
    for (const PartitionFault& partition : partitions) note_partition(partition, end);
    const auto key = [](const NodeEvent& event) { return std::make_tuple(event.at, event.node, event.what); };
    std::ranges::sort(events_, {}, key);
    report.node_events = std::move(events_);
    report.message_faults = std::move(messages_);
  }

 private:
  // Of a partition that the run reached. Nobody misses a node that had crashed before.
  void note_partition(const PartitionFault& partition, Time end) {
    const Time begin(partition.from);
    if (begin >= end) return;
    std::set<NodeId> gone;
    for (const NodeEvent& event : events_) {
      if (event.what == NodeEvent::What::crashed && event.at <= begin) gone.insert(event.node);
    }
    for (NodeId node = partition.first; node <= partition.last; ++node) {
      if (gone.contains(node)) continue;
      note(NodeEvent::What::cut_off, node, begin);
      events_.back().until = std::min(Time(partition.to), end);
    }
  }

  std::vector<NodeEvent> events_;
  std::vector<MessageFaults> messages_;
};

}  // namespace choir
