#include "choir/base/deadline.h"

#include <gtest/gtest.h>

#include "choir/base/error.h"

namespace choir {
namespace {

using namespace std::chrono_literals;

TEST(Deadline, PassesAtItsTime) {
  const Time start{};
  const Deadline deadline = Deadline::after(5ms, start);
  EXPECT_FALSE(deadline.passed(start + 4ms));
  EXPECT_TRUE(deadline.passed(start + 5ms));
  EXPECT_EQ(deadline.remaining(start + 2ms), 3ms);
  EXPECT_EQ(deadline.remaining(start + 9ms), 0ms);
}

TEST(Deadline, NeverNeverPasses) {
  EXPECT_FALSE(Deadline::never().passed(Time::max()));
  EXPECT_EQ(Deadline::never().remaining(Time{}), Duration::max());
}

TEST(Deadline, ASumPastTheEndOfTimeIsNever) {
  EXPECT_TRUE(Deadline::after(Duration::max(), Time{} + 1s).is_never());
}

TEST(SteadyNow, DoesNotGoBack) {
  const Time first = steady_now();
  EXPECT_GE(steady_now(), first);
}

TEST(ParseDuration, ReadsEveryUnit) {
  EXPECT_EQ(parse_duration("7ns"), 7ns);
  EXPECT_EQ(parse_duration("250us"), 250us);
  EXPECT_EQ(parse_duration("5ms"), 5ms);
  EXPECT_EQ(parse_duration("1.5s"), 1500ms);
  EXPECT_EQ(parse_duration("2min"), 2min);
  EXPECT_EQ(parse_duration("1h"), 1h);
}

TEST(ParseDuration, RefusesWhatIsNotOne) {
  for (const char* text : {"", "5", "s", "-1s", "nan s", "5 parsecs", "1e300h", "0x5s"}) {
    EXPECT_THROW(parse_duration(text), Error) << text;
  }
}

}  // namespace
}  // namespace choir
