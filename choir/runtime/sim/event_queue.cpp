#include "choir/runtime/sim/event_queue.h"

namespace choir {

void EventQueue::push(Time time, EventType type, std::uint32_t subject) {
  const Event event{time, scheduled_++, subject, type};
  // Timers and faults lie far ahead: in the run they would send everything scheduled after them to the heap.
  const bool soon = type == EventType::deliver || type == EventType::wake;
  if (soon && (run_begin_ == run_.size() || run_.back().time <= time)) {
    run_.push_back(event);
  } else {
    heap_.push(event);
  }
}

Event EventQueue::pop() {
  const bool from_heap =
      run_begin_ == run_.size() || (!heap_.empty() && Later{}(run_[run_begin_], heap_.top()));
  if (from_heap) {
    const Event event = heap_.top();
    heap_.pop();
    return event;
  }
  const Event event = run_[run_begin_++];
  if (run_begin_ == run_.size()) {
    run_.clear();
    run_begin_ = 0;
  } else if (run_begin_ >= 4096 && 2 * run_begin_ >= run_.size()) {
    run_.erase(run_.begin(), run_.begin() + static_cast<std::ptrdiff_t>(run_begin_));
    run_begin_ = 0;
  }
  return event;
}

}  // namespace choir
