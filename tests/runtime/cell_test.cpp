#include "choir/runtime/cell.h"

#include <stdexcept>

#include "runtime/support.h"

namespace choir {
namespace {

using namespace std::chrono_literals;

// Node 1 of the line 0 - 1 - 2, driven by hand.
class NodeCellTest : public ::testing::Test {
 protected:
  void start(Program program) {
    program_ = std::move(program);  // a coroutine does not own the function it came from
    cell_.start(program_);
    step();
  }
  void step() {
    ASSERT_TRUE(cell_.ready());
    cell_.fetch();
    cell_.resume();
  }
  void put_round(Index position, std::uint64_t round, double value) {
    Message message = testing::number_message(value);
    message.on(exchange_channel, round);
    cell_.mailbox().put(position, message);
  }

  const Graph graph_ = line_graph(3);
  const Contract contract_ = testing::test_contract();
  RunOptions options_;
  RecordingHost host_;
  RunContext run_{graph_, contract_, options_, host_};
  Program program_;
  NodeCell cell_{1, run_};
};

TEST_F(NodeCellTest, SendsItsRoundAndWaitsForAllOfIt) {
  double sum = 0;
  start([&](Node& node) -> Task<void> { sum = co_await testing::sum_of_rounds(node, 8, 1); });
  ASSERT_EQ(host_.messages.size(), 2u);
  EXPECT_EQ(host_.messages[0].first.to, 0);
  EXPECT_EQ(host_.messages[1].first.to, 2);
  EXPECT_EQ(cell_.waiting_for(), WaitFor::round);
  put_round(1, 0, 4);
  EXPECT_FALSE(cell_.ready());
  EXPECT_EQ(cell_.describe_wait(), "waits for node 0 in round 0");
  put_round(0, 0, 2);
  step();
  EXPECT_TRUE(cell_.ended());
  EXPECT_EQ(sum, 8 + 2.0 / 2 + 4.0 / 4);
  EXPECT_EQ(run_.ledger.sent_by(1).messages, 2u);
}

TEST_F(NodeCellTest, SaysGoodbyeToItsNeighboursWhenItEnds) {
  start([](Node&) -> Task<void> { co_return; });
  ASSERT_EQ(host_.goodbyes.size(), 2u);
  EXPECT_TRUE(host_.goodbyes[0].second.ended);
  EXPECT_EQ(host_.goodbyes[0].second.first_unsent_round, 0u);
  EXPECT_EQ(run_.ledger.total(), Traffic());
}

TEST_F(NodeCellTest, AFailureIsLoggedAndNobodyIsTold) {
  start([](Node&) -> Task<void> {
    throw std::runtime_error("no");
    co_return;
  });
  EXPECT_TRUE(cell_.ended());
  EXPECT_EQ(run_.failures.node(), 1);
  EXPECT_THAT(host_.goodbyes, IsEmpty());
}

TEST_F(NodeCellTest, AProgramThatFailsBeforeItsFirstStepIsAFailureToo) {
  cell_.start([](Node&) -> Task<void> { throw std::runtime_error("no frame"); });
  EXPECT_TRUE(cell_.ended());
  EXPECT_TRUE(run_.failures.any());
}

TEST_F(NodeCellTest, OnlyEarlierSynchronousRoundsGoOnAfterAFailure) {
  start([](Node& node) -> Task<void> {
    co_await node.exchange(testing::number_message(1), node.deadline());
    co_await node.exchange(testing::number_message(1), node.deadline());
  });
  run_.failures.add(1, 2, std::make_exception_ptr(std::runtime_error("elsewhere")));
  EXPECT_TRUE(cell_.may_run()) << "this round may still fail before the other";
  put_round(0, 0, 1);
  put_round(1, 0, 1);
  step();
  EXPECT_FALSE(cell_.may_run()) << "what it does in round 1 comes after";
}

TEST_F(NodeCellTest, WhatSleepsDoesNotGoOnAfterAFailure) {
  start([](Node& node) -> Task<void> { co_await node.sleep(1s); });
  EXPECT_TRUE(cell_.may_run());
  run_.failures.add(5, 2, std::make_exception_ptr(std::runtime_error("elsewhere")));
  EXPECT_FALSE(cell_.may_run());
}

TEST_F(NodeCellTest, AbandoningDestroysTheFramesAndTellsNobody) {
  std::vector<std::string> log;
  start([&](Node& node) -> Task<void> {
    const Witness witness(log, "frame");
    co_await node.sleep(1h);
  });
  EXPECT_THAT(log, IsEmpty());
  cell_.abandon();
  EXPECT_THAT(log, ElementsAre("frame"));
  EXPECT_TRUE(cell_.ended());
  EXPECT_THAT(host_.goodbyes, IsEmpty());
}

TEST_F(NodeCellTest, IsDueWhenItsWaitIs) {
  host_.time = Time(5s);
  start([](Node& node) -> Task<void> {
    co_await node.sleep(2s);
    co_await node.receive(1, Deadline::never());
  });
  EXPECT_EQ(cell_.due(), Time(7s));
  EXPECT_FALSE(cell_.ready());
  cell_.expire();
  step();
  EXPECT_EQ(cell_.due(), Time::max());
  EXPECT_EQ(cell_.describe_wait(), "waits for a message on channel 1");
}

TEST_F(NodeCellTest, ReceivesNothingWhenItsTimeIsOver) {
  std::optional<Received> received;
  bool woke = false;
  start([&](Node& node) -> Task<void> {
    received = co_await node.receive_from(2, 1, node.deadline());
    woke = true;
  });
  EXPECT_EQ(cell_.describe_wait(), "waits for a message of node 2 on channel 1");
  cell_.mailbox().put(0, testing::message_on(1, 1));
  EXPECT_FALSE(cell_.ready()) << "it came from another neighbour";
  cell_.expire();
  step();
  EXPECT_TRUE(woke);
  EXPECT_FALSE(received);
}

TEST_F(NodeCellTest, AMissedRoundIsAnErrorByDefault) {
  start([](Node& node) -> Task<void> { co_await testing::sum_of_rounds(node, 1, 3); });
  put_round(0, 0, 1);
  cell_.expire();
  step();
  EXPECT_TRUE(cell_.ended());
  testing::expect_error(ErrorCategory::PeerLost,
                        {"test: node 1 waits in round 0 for node 2, which missed its deadline"},
                        [&] { std::rethrow_exception(run_.failures.error()); });
}

TEST_F(NodeCellTest, AMissedRoundDropsTheNeighbourAndTellsItIfThePolicyIsToProceed) {
  options_.lost_peers = LostPeers::proceed;
  start([](Node& node) -> Task<void> { co_await testing::sum_of_rounds(node, 1, 3); });
  put_round(0, 0, 1);
  host_.time = Time(5s);
  cell_.expire();
  step();
  EXPECT_TRUE(cell_.lost(1));
  ASSERT_EQ(host_.goodbyes.size(), 1u);
  EXPECT_EQ(host_.goodbyes[0].first.to, 2);
  EXPECT_EQ(host_.goodbyes[0].second.first_unsent_round, 1u);
  EXPECT_FALSE(host_.goodbyes[0].second.ended);
  EXPECT_THAT(cell_.losses(), ElementsAre(PeerLoss{1, 2, 0, "missed its deadline"}));
  EXPECT_EQ(cell_.losses()[0].at, Time(5s));
  EXPECT_EQ(host_.messages.size(), 3u) << "two in round 0, one in round 1";
  put_round(0, 1, 1);
  EXPECT_TRUE(cell_.ready()) << "node 2 is as if it had never been linked";
}

}  // namespace
}  // namespace choir
