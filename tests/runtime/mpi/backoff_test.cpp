#include "choir/runtime/mpi/backoff.h"

#include <ctime>

#include <gtest/gtest.h>

namespace choir {
namespace {

double cpu_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// A loop that spins would use all of the time it waits, or look a million times.
TEST(Backoff, SleepsInsteadOfSpinning) {
  for (const bool crowded : {false, true}) {
    const double before = cpu_seconds();
    Backoff backoff(crowded);
    int pauses = 0;
    for (; backoff.waited() < std::chrono::milliseconds(300); ++pauses) backoff.pause();
    EXPECT_LT(cpu_seconds() - before, 0.15);
    EXPECT_LT(pauses, 100000);
  }
}

TEST(Backoff, IsEagerAgainAfterAReset) {
  Backoff backoff(false);
  while (backoff.waited() < std::chrono::milliseconds(20)) backoff.pause();
  const Time before = steady_now();
  backoff.reset();
  const Duration waited = backoff.waited();
  EXPECT_LE(waited, steady_now() - before);
}

}  // namespace
}  // namespace choir
