#include "choir/base/progress.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace choir {
namespace {

TEST(Watch, PassesProgressOn) {
  std::vector<std::string> seen;
  const Watch watch{
      .progress = [&](const Progress& p) { seen.push_back(std::string(p.stage) + std::to_string(p.done)); },
      .stop = {}};
  watch.report("tiles", 1, 2);
  watch.report("tiles", 2, 2);
  EXPECT_EQ(seen, (std::vector<std::string>{"tiles1", "tiles2"}));
}

TEST(Watch, NobodyHasToWatch) { EXPECT_NO_THROW(Watch{}.report("tiles", 1, 2)); }

TEST(Watch, AStopRequestEndsTheWork) {
  std::stop_source source;
  const Watch watch{.progress = {}, .stop = source.get_token()};
  EXPECT_NO_THROW(watch.report("tiles", 1, 2));
  source.request_stop();
  try {
    watch.report("tiles", 2, 2);
    FAIL() << "went on after the stop";
  } catch (const Error& error) {
    EXPECT_EQ(error.category(), ErrorCategory::Cancelled);
  }
}

}  // namespace
}  // namespace choir
