// How to wait for something that announces itself only when asked: eagerly first, then ever more seldom. By
// time, not by count: a look costs little on an idle machine and much where ranks outnumber cores.
//
//   Backoff backoff(crowded);
//   while (!arrived()) backoff.pause();
//   backoff.reset();                     // it has come; be eager again
#pragma once

#include "choir/base/deadline.h"

namespace choir {

class Backoff {
 public:
  static constexpr Duration shortest_sleep = std::chrono::microseconds(20);

  // Crowded: others need the core more than we need the answer.
  explicit Backoff(bool crowded) : crowded_(crowded), since_(steady_now()) {}

  void reset();
  // Not longer than `most`.
  void pause(Duration most = Duration::max());
  // How long nothing has come.
  Duration waited() const { return steady_now() - since_; }

 private:
  bool crowded_;
  Time since_;
  Duration sleep_{};
};

}  // namespace choir
