#include "choir/data/hdf5_turn.h"

#include <gtest/gtest.h>
#include <hdf5.h>

#include "choir/base/parallel.h"

namespace choir {
namespace {

std::string printed_by_a_failing_call() {
  ::testing::internal::CaptureStderr();
  H5Fopen("/nowhere/missing.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  return ::testing::internal::GetCapturedStderr();
}

TEST(Hdf5Turn, IsQuietAndThenAsBefore) {
  {
    const Hdf5Turn turn;
    EXPECT_EQ(printed_by_a_failing_call(), "");
  }
  EXPECT_NE(printed_by_a_failing_call(), "");
}

TEST(Hdf5Turn, BelongsToOneThreadAtATime) {
  int inside = 0;  // no atomic: the turn alone protects it, and the thread sanitizer looks
  parallel_for(200, 4, [&](Index) {
    const Hdf5Turn turn;
    EXPECT_EQ(++inside, 1);
    --inside;
  });
}

}  // namespace
}  // namespace choir
