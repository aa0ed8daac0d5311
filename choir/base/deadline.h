// Points in time until which something is waited for.
//
//   const Deadline deadline = Deadline::after(parse_duration("30s"), steady_now());
//   if (deadline.passed(steady_now())) ...
//
// A Time belongs to whoever keeps the clock: the machine (steady_now) or, later, a simulated network
// whose time is virtual. Nothing here asks a clock by itself.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace choir {

using Duration = std::chrono::nanoseconds;

struct NodeClock {  // no now(): time comes from the engine that runs the node
  using duration = Duration;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<NodeClock>;
  static constexpr bool is_steady = true;
};
using Time = NodeClock::time_point;

// The machine's monotonic clock.
Time steady_now();

class Deadline {
 public:
  static Deadline never() { return Deadline(Time::max()); }
  static Deadline at(Time time) { return Deadline(time); }
  static Deadline after(Duration duration, Time now);  // a sum past the end of time is never()

  Time time() const { return time_; }
  bool is_never() const { return time_ == Time::max(); }
  bool passed(Time now) const { return !is_never() && now >= time_; }
  Duration remaining(Time now) const;  // zero once passed

 private:
  explicit Deadline(Time time) : time_(time) {}
  Time time_;
};

// "250us", "5ms", "1.5s", "2min", "1h"; throws Error(InvalidArgument) otherwise.
Duration parse_duration(std::string_view text);

}  // namespace choir
