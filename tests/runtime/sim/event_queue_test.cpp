#include "choir/runtime/sim/event_queue.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace choir {
namespace {

// The obvious queue: a list, searched whole each time.
class PlainQueue {
 public:
  void push(Time time, EventType type, std::uint32_t subject) {
    events_.push_back({time, count_++, subject, type});
  }
  Event pop() {
    const auto first = std::min_element(events_.begin(), events_.end(), [](const Event& a, const Event& b) {
      return std::pair(a.time, a.sequence) < std::pair(b.time, b.sequence);
    });
    const Event event = *first;
    events_.erase(first);
    return event;
  }
  bool empty() const { return events_.empty(); }

 private:
  std::uint64_t count_ = 0;
  std::vector<Event> events_;
};

bool same(const Event& a, const Event& b) {
  return a.time == b.time && a.sequence == b.sequence && a.subject == b.subject && a.type == b.type;
}

TEST(EventQueue, AgreesWithASortedListForAnyOrderOfPushingAndPopping) {
  EXPECT_TRUE(rc::check([](const std::vector<std::pair<std::int8_t, std::uint8_t>>& steps) {
    EventQueue queue;
    PlainQueue plain;
    std::uint32_t subject = 0;
    for (const auto& [time, what] : steps) {
      RC_ASSERT(queue.empty() == plain.empty());
      if (what % 3 == 0 && !plain.empty()) {
        RC_ASSERT(same(queue.pop(), plain.pop()));
      } else {
        const auto type = static_cast<EventType>(what % 5);
        queue.push(Time(Duration(time)), type, subject);
        plain.push(Time(Duration(time)), type, subject++);
      }
    }
    while (!plain.empty()) RC_ASSERT(same(queue.pop(), plain.pop()));
    RC_ASSERT(queue.empty());
  }));
}

TEST(EventQueue, EventsOfOneInstantComeInTheOrderOfScheduling) {
  EventQueue queue;
  for (std::uint32_t i = 0; i < 100; ++i) {
    queue.push(Time(Duration(7)), i % 2 == 0 ? EventType::deliver : EventType::timer, i);
  }
  for (std::uint32_t i = 0; i < 100; ++i) EXPECT_EQ(queue.pop().subject, i);
}

// Long enough for the part that was taken to be given back many times.
TEST(EventQueue, StaysInOrderOverALongRun) {
  EventQueue queue;
  std::uint32_t pushed = 0;
  for (; pushed < 10'000; ++pushed) queue.push(Time(Duration(pushed)), EventType::deliver, pushed);
  for (std::uint32_t popped = 0; popped < 100'000; ++popped) {
    ASSERT_EQ(queue.pop().subject, popped);
    queue.push(Time(Duration(pushed)), EventType::deliver, pushed);
    ++pushed;
  }
}

}  // namespace
}  // namespace choir
