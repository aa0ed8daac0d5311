#include "choir/run/unused_options.h"

#include "graph/expect_error.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

using testing::expect_error;

TEST(UnusedOptions, AreNamedWithTheReason) {
  OptionTarget settings;
  EXPECT_NO_THROW(refuse_unused(settings, {"carry", "window"}, "--privacy", "nothing is gossiped"));
  settings.given = {"window", "other"};
  expect_error(ErrorCategory::InvalidArgument,
               {"--window decides nothing with --privacy: nothing is gossiped; omit it"}, [&] {
                 refuse_unused(settings, {"carry", "window"}, "--privacy", "nothing is gossiped");
               });
}

}  // namespace
}  // namespace choir
