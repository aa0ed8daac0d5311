#include "choir/runtime/task.h"

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include "runtime/support.h"

namespace choir {
namespace {

// Waits for the world: the next resume() of the trampoline goes on behind it.
struct Park {
  bool await_ready() const noexcept { return false; }
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> waiting) const {
    waiting.promise().trampoline->park(waiting);
  }
  void await_resume() const {}
};

template <class T>
T run_to_the_end(Task<T> task) {
  Trampoline trampoline;
  task.start_on(trampoline);
  while (!task.done()) trampoline.resume();
  return task.take();
}

Task<int> one() { co_return 1; }

Task<std::int64_t> sum_of_ones(int count) {
  std::int64_t sum = 0;
  for (int i = 0; i < count; ++i) sum += co_await one();
  co_return sum;
}

Task<int> depth(int levels) {
  if (levels == 0) co_return 0;
  const int below = co_await depth(levels - 1);
  co_return below + 1;
}

Task<int> throw_from_depth(int levels) {
  if (levels == 0) throw std::runtime_error("the bottom");
  const int below = co_await throw_from_depth(levels - 1);
  co_return below + 1;
}

TEST(Task, AMillionReadyAwaitsInARowDoNotGrowTheStack) {
  EXPECT_EQ(run_to_the_end(sum_of_ones(1'000'000)), 1'000'000);
}

TEST(Task, AMillionNestedAwaitsDoNotGrowTheStack) { EXPECT_EQ(run_to_the_end(depth(1'000'000)), 1'000'000); }

TEST(Task, AnExceptionPassesManyLevelsWithoutGrowingTheStack) {
  EXPECT_THROW(run_to_the_end(throw_from_depth(10'000)), std::runtime_error);
}

Task<int> third_level(std::vector<std::string>& log) {
  const Witness witness(log, "third");
  co_await Park();
  throw std::runtime_error("from the third level");
}

Task<int> second_level(std::vector<std::string>& log) {
  const Witness witness(log, "second");
  const int value = co_await third_level(log);
  log.emplace_back("not reached");
  co_return value;
}

Task<std::string> first_level(std::vector<std::string>& log) {
  const Witness witness(log, "first");
  try {
    co_await second_level(log);
  } catch (const std::runtime_error& error) {
    co_return error.what();
  }
  co_return "nothing was thrown";
}

TEST(Task, AnExceptionPassesThreeLevelsAndDestroysWhatItLeaves) {
  std::vector<std::string> log;
  EXPECT_EQ(run_to_the_end(first_level(log)), "from the third level");
  EXPECT_THAT(log, ElementsAre("third", "second", "first"));
}

TEST(Task, AnExceptionOfTheOutermostArrivesAtWhoTakesTheResult) {
  std::vector<std::string> log;
  EXPECT_THROW(run_to_the_end(second_level(log)), std::runtime_error);
}

// Three levels, the third of which waits.
struct Suspended {
  explicit Suspended(std::vector<std::string>& log) : task(first_level(log)) {
    task.start_on(trampoline);
    trampoline.resume();
  }

  Trampoline trampoline;
  Task<std::string> task;
};

TEST(Task, DestroyingASuspendedChainRunsAllDestructorsInnermostFirst) {
  std::vector<std::string> log;
  {
    const Suspended chain(log);
    EXPECT_FALSE(chain.task.done());
    EXPECT_THAT(log, ElementsAre());
  }
  EXPECT_THAT(log, ElementsAre("third", "second", "first"));
}

TEST(Task, DoesNothingBeforeItIsResumed) {
  std::vector<std::string> log;
  Trampoline trampoline;
  {
    Task<std::string> task = first_level(log);
    task.start_on(trampoline);
  }
  EXPECT_THAT(log, ElementsAre());
}

TEST(Task, AssignmentDestroysTheFormerFrame) {
  std::vector<std::string> log;
  Suspended chain(log);
  chain.task = {};
  EXPECT_THAT(log, ElementsAre("third", "second", "first"));
}

struct alignas(64) Wide {
  double values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
};

Task<std::uintptr_t> misalignment(int levels) {
  Wide wide;
  std::uintptr_t below = 0;
  if (levels > 0) below = co_await misalignment(levels - 1);
  co_await Park();
  wide.values[0] += 1;
  co_return below + reinterpret_cast<std::uintptr_t>(&wide) % 64;
}

TEST(Task, FramesAreAlignedForTheWidestVectors) { EXPECT_EQ(run_to_the_end(misalignment(100)), 0u); }

struct Pair {
  int first;
  std::string second;
};

Task<Pair> braces() { co_return {7, "seven"}; }

TEST(Task, ReturnsWhatBracesMake) {
  const Pair pair = run_to_the_end(braces());
  EXPECT_EQ(pair.first, 7);
  EXPECT_EQ(pair.second, "seven");
}

Task<std::unique_ptr<int>> unique(int value) { co_return std::make_unique<int>(value); }

Task<int> unpack(int value) {
  const std::unique_ptr<int> inner = co_await unique(value);
  co_return *inner;
}

TEST(Task, HandsOverWhatCanOnlyBeMoved) { EXPECT_EQ(run_to_the_end(unpack(5)), 5); }

Task<void> add(int& sum, int value) {
  sum += value;
  co_await Park();
  sum += value;
}

Task<int> await_a_named_task() {
  int sum = 0;
  Task<void> task = add(sum, 3);
  sum = 10;  // the task has not begun
  co_await task;
  co_return sum;
}

TEST(Task, MayBeNamedAndAwaitedLater) { EXPECT_EQ(run_to_the_end(await_a_named_task()), 16); }

TEST(Task, GoesOnWhereItParked) {
  int sum = 0;
  Trampoline trampoline;
  Task<void> task = add(sum, 1);
  task.start_on(trampoline);
  trampoline.resume();
  EXPECT_EQ(sum, 1);
  EXPECT_FALSE(task.done());
  trampoline.resume();
  EXPECT_EQ(sum, 2);
  EXPECT_TRUE(task.done());
}

}  // namespace
}  // namespace choir
