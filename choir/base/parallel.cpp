#include "choir/base/parallel.h"

#include <atomic>

#include "choir/base/tbb_loop.h"

namespace choir {
namespace {

// oneTBB orders what the caller wrote before the pieces, and the pieces before what the caller reads next.
// The thread sanitizer does not see that order inside the library, so it is said once more here, in atomics
// it knows.
struct Loop {
  const std::function<void(Index)>& work;
  std::atomic<bool> open = false;
  std::atomic<Index> done = 0;

  void run_piece(Index piece) {
    (void)open.load(std::memory_order_acquire);
    const struct Count {
      std::atomic<Index>& done;
      ~Count() { done.fetch_add(1, std::memory_order_release); }  // also when work throws
    } count{done};
    work(piece);
  }
};

}  // namespace

int hardware_threads() { return tbb_hardware_threads(); }

void parallel_for(Index pieces, int threads, const std::function<void(Index)>& work) {
  const int wanted = resolve_threads(threads);
  if (wanted == 1 || pieces <= 1) {
    for (Index piece = 0; piece < pieces; ++piece) work(piece);
    return;
  }
  Loop loop{.work = work};
  loop.open.store(true, std::memory_order_release);
  const auto call = [](void* context, Index piece) { static_cast<Loop*>(context)->run_piece(piece); };
  try {
    tbb_loop(pieces, wanted, call, &loop);
  } catch (...) {
    (void)loop.done.load(std::memory_order_acquire);
    throw;
  }
  (void)loop.done.load(std::memory_order_acquire);
}

}  // namespace choir
