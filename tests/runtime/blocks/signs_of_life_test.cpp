#include "choir/runtime/blocks/signs_of_life.h"

#include "runtime/blocks/networks.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

// In a line 0 - 1 - 2, node 0 waits for node 1, which waits for node 2, which answers after four deadlines
// and says every second of the wait, if it does, that it is there.
Task<std::int64_t> wait_in_a_line(Node& node, bool is_heard_of) {
  const Channel channel = node.open_reliable_channel();
  std::vector<NodeId> waiting;
  if (node.id() > 0) waiting.push_back(node.id() - 1);
  SignsOfLife signs(node, Message(Kind::control), channel, waiting);
  if (node.id() == 2) {
    for (int second = 0; second < 8; ++second) {
      co_await node.sleep(std::chrono::seconds(1));
      if (is_heard_of) give_signs_if_due(node, signs);
    }
    Message answer(Kind::control);
    answer.integer(7).on(channel, content_mark);
    send_unless_lost(node, 1, answer);
    co_return 7;
  }
  Heard heard = co_await hear_from(node, node.id() + 1, channel, signs);
  if (heard.whereabouts == Whereabouts::silent) co_return -1;
  if (heard.whereabouts == Whereabouts::ended) co_return -2;
  if (node.id() == 1) {
    heard.message.on(channel, content_mark);
    send_unless_lost(node, 0, heard.message);
  }
  const Message answer = heard.message;
  co_return answer.integer(0);
}

std::vector<std::optional<std::int64_t>> answers(bool is_heard_of) {
  SimEngine engine;
  return run_nodes<std::int64_t>(engine, make_topology("line", 3, 0), contract_of("patience"),
                                 seeded(1, std::chrono::seconds(2)),
                                 [=](Node& node) { return wait_in_a_line(node, is_heard_of); })
      .results;
}

TEST(SignsOfLife, KeepThePatienceOfAllWhoWaitInTurn) {
  for (const auto& answer : answers(true)) EXPECT_EQ(answer, 7);
}

TEST(SignsOfLife, ThatDoNotComeEndItWhereTheSilenceIs) {
  const auto results = answers(false);
  EXPECT_EQ(results[1], -1) << "its neighbour was silent";
  EXPECT_EQ(results[0], -2) << "node 1 gave signs until it ended";
}

TEST(SignsOfLife, AreNotGivenWithoutNeed) {
  SimEngine engine;
  const auto outcome = run_nodes<std::int64_t>(engine, make_topology("line", 3, 0), contract_of("patience"),
                                               seeded(1, std::chrono::seconds(20)),
                                               [](Node& node) { return wait_in_a_line(node, true); });
  EXPECT_EQ(outcome.report.ledger.total().messages, 2u) << "nobody had to wait for long";
}

}  // namespace
}  // namespace choir
