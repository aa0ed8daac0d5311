#include "choir/report/run_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace choir {
namespace {

using ::testing::ElementsAre;

TEST(RunNames, LeaveOutWhatAllHaveInCommon) {
  EXPECT_THAT(run_names({"/all/runs/a", "/all/runs/b"}), ElementsAre("a", "b"));
  EXPECT_THAT(run_names({"/all/one/run", "/all/two/run/"}), ElementsAre("one/run", "two/run"));
  EXPECT_THAT(run_names({"runs/a", "./runs/b/../c"}), ElementsAre("a", "c"));
  EXPECT_THAT(run_names({"/runs/ab", "/runs/abc/d"}), ElementsAre("ab", "abc/d"));
}

TEST(RunNames, StayDistinct) {
  EXPECT_THAT(run_names({"/runs/a", "/runs/a/", "/runs/a"}), ElementsAre("a", "a (2)", "a (3)"));
  EXPECT_THAT(run_names({"/runs", "/runs/a"}), ElementsAre("runs", "runs/a"));
  EXPECT_THAT(run_names({"/runs/a", "/runs"}), ElementsAre("runs/a", "runs"));
}

TEST(RunNames, OfOneOrNoneAreWhatTheyAre) {
  EXPECT_THAT(run_names({"/runs/a"}), ElementsAre("a"));
  EXPECT_TRUE(run_names({}).empty());
}

}  // namespace
}  // namespace choir
