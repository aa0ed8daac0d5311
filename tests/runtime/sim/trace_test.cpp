#include "choir/runtime/sim/trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace choir {
namespace {

using namespace std::chrono_literals;

TEST(Trace, AMessageReadsAsASentence) {
  TraceEvent event;
  event.time = Time(3100us);
  event.type = TraceType::deliver;
  event.node = 4;
  event.peer = 5;
  event.kind = Kind::own_statistics;
  event.round = 2;
  event.bytes = 40;
  EXPECT_EQ(to_string(event), "0.003100000 deliver 4 -> 5 own_statistics channel 0 round 2, 40 bytes");
}

TEST(Trace, ANodesOwnEventNamesTheNodeAlone) {
  TraceEvent event;
  event.time = Time(1h);
  event.type = TraceType::crash;
  event.node = 7;
  EXPECT_EQ(to_string(event), "3600.000000000 crash 7");
}

TEST(Trace, EveryTypeHasAWordOfItsOwn) {
  std::vector<std::string> words;
  for (int type = 0; type <= static_cast<int>(TraceType::end); ++type) {
    TraceEvent event;
    event.type = static_cast<TraceType>(type);
    words.push_back(to_string(event));
  }
  using ::testing::EndsWith;
  EXPECT_THAT(words, ::testing::ElementsAre(EndsWith("start 0"), EndsWith("join 0"), EndsWith("send 0"),
                                            EndsWith("lose 0"), EndsWith("repeat 0"), EndsWith("deliver 0"),
                                            EndsWith("discard 0"), EndsWith("expire 0"), EndsWith("crash 0"),
                                            EndsWith("end 0")));
}

}  // namespace
}  // namespace choir
