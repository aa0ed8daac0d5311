#include "choir/runtime/mpi/backoff.h"

#include <algorithm>
#include <thread>

namespace choir {
namespace {

constexpr Duration eager = std::chrono::microseconds(200);
constexpr Duration longest_sleep = std::chrono::milliseconds(1);

}  // namespace

void Backoff::reset() {
  since_ = steady_now();
  sleep_ = Duration::zero();
}

void Backoff::pause(Duration most) {
  if (waited() < eager) {
    if (crowded_) std::this_thread::yield();
    return;
  }
  sleep_ = std::clamp(2 * sleep_, shortest_sleep, longest_sleep);
  if (most > Duration::zero()) std::this_thread::sleep_for(std::min(sleep_, most));
}

}  // namespace choir
