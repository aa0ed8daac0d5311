#include "choir/learn/require.h"

#include <limits>

#include "graph/expect_error.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

using testing::expect_error;

TEST(Require, NamesTheOptionAndWhatItMustBe) {
  EXPECT_NO_THROW(require_at_least("window", 1, 1));
  expect_error(ErrorCategory::InvalidArgument, {"window is 0; it must be at least 1"},
               [] { require_at_least("window", 0, 1); });
  EXPECT_NO_THROW(require_positive("interval", std::chrono::nanoseconds(1)));
  expect_error(ErrorCategory::InvalidArgument, {"interval is 0 ns; it must be positive"},
               [] { require_positive("interval", Duration::zero()); });
}

TEST(Require, NumbersAreFinite) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  EXPECT_NO_THROW(require_positive("eta", 0.5));
  EXPECT_NO_THROW(require_not_negative("alpha", 0));
  expect_error(ErrorCategory::InvalidArgument, {"eta is 0; it must be positive and finite"},
               [] { require_positive("eta", 0.0); });
  expect_error(ErrorCategory::InvalidArgument, {"eta is inf"}, [] { require_positive("eta", infinite); });
  expect_error(ErrorCategory::InvalidArgument, {"alpha is -1; it must be finite and non-negative"},
               [] { require_not_negative("alpha", -1); });
}

}  // namespace
}  // namespace choir
