#include "choir/base/stopwatch.h"

#include <thread>

#include <gtest/gtest.h>

namespace choir {
namespace {

TEST(Stopwatch, CountsSeconds) {
  const Stopwatch watch;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const double first = watch.seconds();
  EXPECT_GE(first, 0.02);
  EXPECT_GE(watch.seconds(), first);
}

}  // namespace
}  // namespace choir
