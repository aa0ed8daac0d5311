#include "choir/base/parallel.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

namespace choir {

int hardware_threads() { return oneapi::tbb::info::default_concurrency(); }

void parallel_for(Index pieces, int threads, const std::function<void(Index)>& work) {
  const int wanted = resolve_threads(threads);
  if (wanted == 1 || pieces <= 1) {
    for (Index piece = 0; piece < pieces; ++piece) work(piece);
    return;
  }
  // TBB starts no more workers than cores unless told; the caller's number is an order, not a hint.
  const oneapi::tbb::global_control allow(oneapi::tbb::global_control::max_allowed_parallelism,
                                          static_cast<std::size_t>(wanted));
  oneapi::tbb::task_arena arena(wanted);
  arena.execute([&] {
    oneapi::tbb::parallel_for(
        oneapi::tbb::blocked_range<Index>(0, pieces, 1),
        [&](const oneapi::tbb::blocked_range<Index>& range) {
          for (Index piece = range.begin(); piece != range.end(); ++piece) work(piece);
        },
        oneapi::tbb::simple_partitioner());
  });
}

}  // namespace choir
