#include "choir/runtime/contract.h"

#include "graph/expect_error.h"

namespace choir {
namespace {

TEST(LostPeers, AreParsedByTheWordsOfTheCommandLine) {
  EXPECT_EQ(parse_choice<LostPeers>("lost_peers", "fail"), LostPeers::fail);
  EXPECT_EQ(parse_choice<LostPeers>("lost_peers", "continue"), LostPeers::proceed);
}

TEST(LostPeers, AnythingElseIsRefusedWithTheChoices) {
  for (const char* text : {"", "proceed", "Fail", "fail "}) {
    testing::expect_error(ErrorCategory::InvalidArgument, {text, "one of fail, continue"},
                          [&] { parse_choice<LostPeers>("lost_peers", text); });
  }
}

TEST(Contract, AsksForReliableLinksAndARunFailsOnLostPeersUnlessToldOtherwise) {
  EXPECT_EQ(Contract().links, Links::reliable);
  EXPECT_EQ(RunOptions().lost_peers, LostPeers::fail);
}

}  // namespace
}  // namespace choir
