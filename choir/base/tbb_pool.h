// oneTBB's arena behind plain functions: small pieces of work, submitted while others run, on a fixed number
// of threads. Like tbb_loop.cpp its source is excluded from the thread sanitizer; the code that submits and
// the code that runs must order what they share with their own locks.
#pragma once

#include <cstdint>
#include <memory>

namespace choir {

class TbbPool {
 public:
  using Run = void (*)(void* context, std::int32_t piece);

  // Every piece submitted is run once as run(context, piece), on one of `threads` threads; it must not throw.
  TbbPool(int threads, Run run, void* context);
  TbbPool(const TbbPool&) = delete;
  TbbPool& operator=(const TbbPool&) = delete;
  ~TbbPool();  // waits until everything has run

  void submit(std::int32_t piece);  // from any thread, from inside a piece too

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace choir
