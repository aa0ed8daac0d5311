#include "choir/base/parallel.h"

#include <atomic>
#include <numeric>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace choir {
namespace {

class ParallelFor : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Threads, ParallelFor, ::testing::Values(0, 1, 2, 5));

TEST_P(ParallelFor, VisitsEveryPieceOnce) {
  std::vector<int> visits(1000, 0);
  parallel_for(1000, GetParam(), [&](Index piece) { ++visits[static_cast<std::size_t>(piece)]; });
  EXPECT_EQ(visits, std::vector<int>(1000, 1));
}

TEST_P(ParallelFor, DoesNothingForNoPieces) {
  parallel_for(0, GetParam(), [](Index) { FAIL() << "there was nothing to do"; });
}

TEST_P(ParallelFor, HandsAnExceptionToTheCaller) {
  EXPECT_THROW(parallel_for(100, GetParam(),
                            [](Index piece) {
                              if (piece == 37) throw std::runtime_error("piece 37");
                            }),
               std::runtime_error);
}

TEST_P(ParallelFor, MayBeNested) {
  std::atomic<Index> sum = 0;
  parallel_for(8, GetParam(), [&](Index outer) {
    parallel_for(8, GetParam(), [&](Index inner) { sum += outer * 8 + inner; });
  });
  EXPECT_EQ(sum, 63 * 64 / 2);
}

TEST(Parallel, ZeroThreadsMeansAllCores) {
  EXPECT_GE(hardware_threads(), 1);
  EXPECT_EQ(resolve_threads(0), hardware_threads());
  EXPECT_EQ(resolve_threads(3), 3);
}

}  // namespace
}  // namespace choir
