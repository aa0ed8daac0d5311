#include "choir/base/tbb_pool.h"

#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace choir {
namespace {

// Counts how often each piece ran; a piece below `fan` submits two more.
struct Work {
  explicit Work(std::size_t pieces) : runs(pieces) {}
  std::vector<std::atomic<int>> runs;
  std::atomic<int> inside = 0;
  std::atomic<int> most_inside = 0;
  std::int32_t fan = 0;
  TbbPool* pool = nullptr;
};

void run_piece(void* context, std::int32_t piece) {
  Work& work = *static_cast<Work*>(context);
  const int now = ++work.inside;
  int seen = work.most_inside;
  while (seen < now && !work.most_inside.compare_exchange_weak(seen, now)) continue;
  ++work.runs[static_cast<std::size_t>(piece)];
  if (piece < work.fan) {
    work.pool->submit(2 * piece + 1);
    work.pool->submit(2 * piece + 2);
  }
  --work.inside;
}

void expect_each_once(const Work& work) {
  for (const std::atomic<int>& runs : work.runs) ASSERT_EQ(runs, 1);
}

class TbbPoolTest : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Threads, TbbPoolTest, ::testing::Values(1, 2, 8));

TEST_P(TbbPoolTest, RunsEveryPieceOnceBeforeItIsGone) {
  Work work(2000);
  {
    TbbPool pool(GetParam(), run_piece, &work);
    for (std::int32_t piece = 0; piece < 2000; ++piece) pool.submit(piece);
  }
  expect_each_once(work);
  EXPECT_LE(work.most_inside, GetParam());
}

TEST_P(TbbPoolTest, PiecesMaySubmitPieces) {
  Work work(8191);  // a full binary tree
  work.fan = 4095;
  {
    TbbPool pool(GetParam(), run_piece, &work);
    work.pool = &pool;
    pool.submit(0);
  }
  expect_each_once(work);
  EXPECT_LE(work.most_inside, GetParam());
}

TEST_P(TbbPoolTest, SeveralThreadsMaySubmit) {
  Work work(4000);
  {
    TbbPool pool(GetParam(), run_piece, &work);
    std::vector<std::jthread> threads;
    for (std::int32_t thread = 0; thread < 4; ++thread) {
      threads.emplace_back([&pool, thread] {
        for (std::int32_t piece = thread; piece < 4000; piece += 4) pool.submit(piece);
      });
    }
  }
  expect_each_once(work);
}

TEST_P(TbbPoolTest, NothingSubmittedIsNothingToWaitFor) {
  Work work(1);
  { const TbbPool pool(GetParam(), run_piece, &work); }
  EXPECT_EQ(work.runs[0], 0);
}

TEST(TbbPool, APieceMayUseAPoolOfItsOwn) {
  struct Outer {
    std::vector<std::atomic<int>> inner_runs = std::vector<std::atomic<int>>(20);
  } outer;
  {
    TbbPool pool(
        2,
        [](void* context, std::int32_t piece) {
          Work inner(50);
          {
            TbbPool inner_pool(2, run_piece, &inner);
            for (std::int32_t i = 0; i < 50; ++i) inner_pool.submit(i);
          }
          for (const std::atomic<int>& runs : inner.runs) {
            static_cast<Outer*>(context)->inner_runs[static_cast<std::size_t>(piece)] += runs;
          }
        },
        &outer);
    for (std::int32_t piece = 0; piece < 20; ++piece) pool.submit(piece);
  }
  for (const std::atomic<int>& runs : outer.inner_runs) EXPECT_EQ(runs, 50);
}

// The caller only waits: a piece that a worker runs must not need the caller's thread.
TEST(TbbPool, RunsWhileTheCallerDoesSomethingElse) {
  std::atomic<int> done = 0;
  TbbPool pool(
      1, [](void* context, std::int32_t) { ++*static_cast<std::atomic<int>*>(context); }, &done);
  pool.submit(0);
  while (done == 0) std::this_thread::yield();
  EXPECT_EQ(done, 1);
}

}  // namespace
}  // namespace choir
