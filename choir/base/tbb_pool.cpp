#include "choir/base/tbb_pool.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

namespace choir {
namespace {

thread_local const void* running_pool = nullptr;

}  // namespace

struct TbbPool::State {
  State(int threads, Run the_run, void* the_context)
      // One more than the arena's: the thread that waits outside counts as well.
      : allow(oneapi::tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads) + 1),
        arena(threads, 0),
        run(the_run),
        context(the_context) {}

  void call(std::int32_t piece) {
    const void* outer = running_pool;
    running_pool = this;
    run(context, piece);
    running_pool = outer;
  }

  oneapi::tbb::global_control allow;
  oneapi::tbb::task_arena arena;
  oneapi::tbb::task_group group;
  Run run;
  void* context;
};

TbbPool::TbbPool(int threads, Run run, void* context)
    : state_(std::make_unique<State>(threads, run, context)) {}

TbbPool::~TbbPool() {
  state_->arena.execute([this] { state_->group.wait(); });
}

void TbbPool::submit(std::int32_t piece) {
  State* state = state_.get();
  if (running_pool == state) {  // a worker: its own queue, no synchronisation
    state->group.run([state, piece] { state->call(piece); });
  } else {
    state->arena.enqueue(state->group.defer([state, piece] { state->call(piece); }));
  }
}

}  // namespace choir
