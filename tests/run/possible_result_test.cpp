#include "choir/run/possible_result.h"

#include "message_of.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/error.h"

namespace choir {
namespace {

Result with_shares(const Vector& shares) {
  Result result;
  result.explained_variance_ratio = shares;
  return result;
}

TEST(PossibleResult, SharesOfTheVarianceAddUpToOneAtMost) {
  EXPECT_NO_THROW(require_possible(with_shares(Vector{{0.7, 0.2999, 0.0001}})));
  EXPECT_NO_THROW(require_possible(with_shares(Vector{{1, 1e-12, -1e-12}})));
  EXPECT_NO_THROW(require_possible(Result()));
  for (const Vector& lie : {Vector{{3.03, 0, 0}}, Vector{{0.6, 0.6, 0}}, Vector{{0.6, -0.2, 0}}}) {
    EXPECT_THAT(test::message_of(ErrorCategory::PeerLost, [&] { require_possible(with_shares(lie)); }),
                ::testing::HasSubstr("which no samples have"));
  }
}

}  // namespace
}  // namespace choir
