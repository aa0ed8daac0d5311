#include "choir/learn/federated_kmeans/participation.h"

#include "message_of.h"
#include <gmock/gmock.h>

namespace choir::federated_kmeans {
namespace {

using ::testing::HasSubstr;

std::string refusal(const Options& options, const std::vector<Index>& samples) {
  return test::message_of(ErrorCategory::InvalidArgument, [&] { require_answers(options, samples); });
}

TEST(Participation, ASumNeedsDevicesToHideIn) {
  EXPECT_THAT(refusal({}, {100}), HasSubstr("at least 2 devices (--min-devices), or it would show what one"));
  EXPECT_THAT(refusal({}, {100}), HasSubstr("there is 1; use more --nodes"));
  EXPECT_EQ(refusal({}, {100, 3}), "");
}

TEST(Participation, SmallDevicesDoNotAnswerWithoutMasks) {
  const Options open{.n_landmarks = 60, .masks = Masks::off};
  EXPECT_THAT(refusal(open, {60, 60, 61}), HasSubstr("60 samples or fewer does not answer"));
  EXPECT_THAT(refusal(open, {60, 60, 61}),
              HasSubstr("1 of 3 devices have more; use a server and --masks on"));
  EXPECT_EQ(refusal(open, {61, 60, 61}), "");
  EXPECT_EQ(refusal({.n_landmarks = 60, .masks = Masks::on}, {10, 10}), "");
}

}  // namespace
}  // namespace choir::federated_kmeans
