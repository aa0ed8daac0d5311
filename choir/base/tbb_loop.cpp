#include "choir/base/tbb_loop.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

namespace choir {

int tbb_hardware_threads() { return oneapi::tbb::info::default_concurrency(); }

void tbb_loop(Index pieces, int threads, void (*call)(void* context, Index piece), void* context) {
  // TBB starts no more workers than cores unless told; the caller's number is an order, not a hint.
  const oneapi::tbb::global_control allow(oneapi::tbb::global_control::max_allowed_parallelism,
                                          static_cast<std::size_t>(threads));
  oneapi::tbb::task_arena arena(threads);
  arena.execute([&] {
    oneapi::tbb::parallel_for(
        oneapi::tbb::blocked_range<Index>(0, pieces, 1),
        [&](const oneapi::tbb::blocked_range<Index>& range) {
          for (Index piece = range.begin(); piece != range.end(); ++piece) call(context, piece);
        },
        oneapi::tbb::simple_partitioner());
  });
}

}  // namespace choir
