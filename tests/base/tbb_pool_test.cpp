#include "choir/base/tbb_pool.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace choir {
namespace {

// The thread sanitizer does not see how oneTBB orders the pieces and whoever submits them; this lock says it
// once more. A constant of the program: the sanitizer would not see a local one being made either.
std::mutex order;
void synchronise() { const std::lock_guard lock(order); }

// Counts how often each piece ran; a piece below `fan` submits two more.
struct Work {
  explicit Work(std::size_t pieces) : runs(pieces) { synchronise(); }
  ~Work() { synchronise(); }
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  std::vector<std::atomic<int>> runs;
  std::atomic<int> inside = 0;
  std::atomic<int> most_inside = 0;
  std::int32_t fan = 0;
  TbbPool* pool = nullptr;
};

void run_piece(void* context, std::int32_t piece) {
  synchronise();
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
  synchronise();
}

void expect_each_once(Work& work) {
  synchronise();
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
}

TEST_P(TbbPoolTest, PiecesMaySubmitPieces) {
  Work work(8191);  // a full binary tree
  work.fan = 4095;
  {
    TbbPool pool(GetParam(), run_piece, &work);
    work.pool = &pool;
    synchronise();
    pool.submit(0);
  }
  expect_each_once(work);
}

// While it waits for the end the destructor's thread lends a hand, so the pieces must be over before.
TEST_P(TbbPoolTest, RunsNoMorePiecesAtOnceThanThreads) {
  Work work(8191);
  work.fan = 4095;
  TbbPool pool(GetParam(), run_piece, &work);
  work.pool = &pool;
  synchronise();
  pool.submit(0);
  const auto all_ran = [&] {
    return std::all_of(work.runs.begin(), work.runs.end(), [](const auto& runs) { return runs == 1; });
  };
  while (!all_ran()) std::this_thread::yield();
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

void run_piece_on_its_own_pool(void* context, std::int32_t piece) {
  Work inner(50);
  {
    TbbPool pool(2, run_piece, &inner);
    for (std::int32_t i = 0; i < 50; ++i) pool.submit(i);
  }
  expect_each_once(inner);
  run_piece(context, piece);
}

TEST(TbbPool, APieceMayUseAPoolOfItsOwn) {
  Work outer(20);
  {
    TbbPool pool(2, run_piece_on_its_own_pool, &outer);
    for (std::int32_t piece = 0; piece < 20; ++piece) pool.submit(piece);
  }
  expect_each_once(outer);
}

TEST(TbbPool, RunsWhileTheCallerDoesSomethingElse) {
  Work work(1);
  TbbPool pool(1, run_piece, &work);
  pool.submit(0);
  while (work.runs[0] == 0) std::this_thread::yield();
  EXPECT_EQ(work.runs[0], 1);
}

}  // namespace
}  // namespace choir
