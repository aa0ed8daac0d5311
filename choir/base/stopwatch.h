// How long something took, on the machine's clock.
//
//   const Stopwatch watch;
//   work();
//   result.seconds = watch.seconds();
#pragma once

#include <chrono>

#include "choir/base/deadline.h"

namespace choir {

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(steady_now() - start_).count(); }

 private:
  Time start_ = steady_now();
};

}  // namespace choir
