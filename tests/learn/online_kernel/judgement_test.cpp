#include "choir/learn/online_kernel/judgement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace choir::online_kernel {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Judgement, SaysNothingOfAGoodAnswer) {
  EXPECT_THAT(
      shortcomings({.loss = 2, .constant_loss = 10, .seen = Vector{{50, 50}}, .taken = Vector{{48, 52}}},
                   {0, 1}),
      IsEmpty());
}

TEST(Judgement, NoBetterThanAConstantIsSaid) {
  EXPECT_THAT(shortcomings({.loss = 9.95, .constant_loss = 10}, {}),
              ElementsAre(HasSubstr("no better than a constant one")));
}

TEST(Judgement, AClassThatIsNeverPredictedIsNamed) {
  const Evidence evidence{
      .loss = 2, .constant_loss = 10, .seen = Vector{{500, 30, 9}}, .taken = Vector{{539, 0, 0}}};
  EXPECT_THAT(shortcomings(evidence, {3, 5, 7}), ElementsAre(HasSubstr("class 5 is never predicted")));
}

TEST(Judgement, WhereTargetsDoNotVaryAConstantIsRight) {
  EXPECT_THAT(shortcomings({.loss = 0, .constant_loss = 0}, {}), IsEmpty());
}

}  // namespace
}  // namespace choir::online_kernel
