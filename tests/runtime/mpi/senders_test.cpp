#include "choir/runtime/mpi/senders.h"

#include "message_of.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace choir {
namespace {

using test::message_of;
using ::testing::AllOf;
using ::testing::HasSubstr;

const Placement placement(6, 3);  // two nodes a rank

TEST(Senders, ARankSpeaksForItsOwnNodes) {
  for (NodeId node = 0; node < 6; ++node) {
    for (int rank = 0; rank < 3; ++rank) {
      const Frame frame{.from = node, .to = 1};
      if (node / 2 == rank) {
        EXPECT_NO_THROW(require_own(frame, rank, placement));
      } else {
        EXPECT_THAT(
            message_of(ErrorCategory::PeerLost, [&] { require_own(frame, rank, placement); }),
            AllOf(HasSubstr(fmt::format("rank {} (nodes", rank)), HasSubstr(fmt::format("node {}", node))));
      }
    }
  }
  for (const NodeId nobody : {-1, 6, 1 << 30}) {
    EXPECT_THAT(message_of(ErrorCategory::PeerLost, [&] { require_own({.from = nobody}, 0, placement); }),
                HasSubstr("rank 0"));
  }
}

TEST(Senders, ARankReportsTheFailuresOfItsOwnNodesAndItsOwn) {
  using Scope = Failure::Scope;
  const auto of = [](Scope scope, std::int32_t origin, std::int32_t blamed = -1) {
    return Failure{.scope = scope, .origin = origin, .blamed_rank = blamed, .text = {}};
  };
  for (const Failure& own : {of(Scope::node, 2), of(Scope::overdue_node, 3, 0), of(Scope::rank, 1)})
    EXPECT_NO_THROW(require_own(own, 1, placement));
  for (const Failure& foreign :
       {of(Scope::node, 4), of(Scope::node, -1), of(Scope::node, 6), of(Scope::rank, 2),
        of(Scope::overdue_node, 2, 3), of(Scope::overdue_node, 2, -2)}) {
    EXPECT_THAT(message_of(ErrorCategory::PeerLost, [&] { require_own(foreign, 1, placement); }),
                AllOf(HasSubstr("rank 1 (nodes 2 to 3)"), HasSubstr("not its own")));
  }
}

TEST(Senders, WhatTheySendThatChoirDoesNotWriteIsTheirDoing) {
  EXPECT_EQ(named("rank 2", [] { return 7; }), 7);
  const auto damaged = [] { fail(ErrorCategory::BadData, "a message is damaged"); };
  const std::string sender = describe_rank(2, placement);
  EXPECT_THAT(message_of(ErrorCategory::PeerLost, [&] { named(sender, damaged); }),
              AllOf(HasSubstr("rank 2 (nodes 4 to 5)"), HasSubstr("a message is damaged")));
  const auto full = [] { fail(ErrorCategory::OutOfMemory, "full"); };
  EXPECT_EQ(message_of(ErrorCategory::OutOfMemory, [&] { named(sender, full); }), "full");
}

TEST(Senders, NoMoreIsBelievedThanThereIsMemory) {
  EXPECT_NO_THROW(require_believable(1 << 20, 1));
  for (const std::uint64_t lie : {std::uint64_t{1} << 50, ~std::uint64_t{0}})
    EXPECT_THAT(message_of(ErrorCategory::PeerLost, [&] { require_believable(lie, 1); }),
                HasSubstr("rank 1 announced"));
}

}  // namespace
}  // namespace choir
