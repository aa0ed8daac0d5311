// What will happen in a simulated network, by (time, order of scheduling).
//
// Most events of a synchronous round are scheduled in the order in which they happen: those queue, at a
// constant cost each; only the others go through a heap.
#pragma once

#include <cstdint>
#include <queue>
#include <vector>

#include "choir/base/deadline.h"

namespace choir {

enum class EventType : std::uint8_t { deliver, timer, wake, crash, join };

struct Event {
  Time time{};
  std::uint64_t sequence = 0;
  std::uint32_t subject = 0;  // a node, or a message in flight
  EventType type = EventType::deliver;
};

class EventQueue {
 public:
  void push(Time time, EventType type, std::uint32_t subject);
  bool empty() const { return run_begin_ == run_.size() && heap_.empty(); }
  Event pop();  // the earliest; among equals the one scheduled first

 private:
  struct Later {
    bool operator()(const Event& a, const Event& b) const {
      return a.time != b.time ? a.time > b.time : a.sequence > b.sequence;
    }
  };
  std::uint64_t scheduled_ = 0;
  std::vector<Event> run_;  // ascending from run_begin_ on
  std::size_t run_begin_ = 0;
  std::priority_queue<Event, std::vector<Event>, Later> heap_;
};

}  // namespace choir
