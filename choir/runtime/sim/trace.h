// What happened in a simulated network, event by event. The same seed gives the same trace.
//
//   SimOptions network;
//   network.trace = [](const TraceEvent& event) { print(to_string(event)); };
#pragma once

#include <cstdint>
#include <string>

#include "choir/base/deadline.h"
#include "choir/base/types.h"
#include "choir/runtime/kind.h"
#include "choir/runtime/message.h"

namespace choir {

enum class TraceType : std::uint8_t {
  start,    // node
  join,     // node: it starts later than the others
  send,     // node -> peer
  lose,     // node -> peer: sent, never arrives
  repeat,   // node -> peer: a copy of a message arrives as well
  deliver,  // node -> peer
  discard,  // node -> peer: arrives at a node that is not there
  expire,   // node: what it waits for is overdue
  crash,    // node
  end,      // node
};

struct TraceEvent {
  Time time{};
  TraceType type = TraceType::send;
  NodeId node = 0;
  NodeId peer = -1;
  Kind kind = Kind::control;
  Channel channel = 0;
  std::uint64_t round = 0;
  std::size_t bytes = 0;
  friend bool operator==(const TraceEvent&, const TraceEvent&) = default;
};

// "0.003100000 deliver 4 -> 5 own_statistics channel 0 round 2, 40 bytes"
std::string to_string(const TraceEvent& event);

}  // namespace choir
