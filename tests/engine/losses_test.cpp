// Programs that end early, throw, or wait for what never comes: one sentence, the same on every engine.
#include <atomic>
#include <stop_token>

#include "engine/suite_engine.h"
#include <gtest/gtest.h>

#include "choir/base/error.h"
#include "choir/graph/topology.h"

namespace choir {
namespace {

const Contract losses_contract{.method = "suite",
                               .kinds = {Kind::own_statistics, Kind::totals, Kind::control}};

struct Failure {
  ErrorCategory category;
  std::string sentence;
};

template <class Program>
Failure failure_of(const Graph& graph, const RunOptions& options, Program program) {
  try {
    run_nodes<double>(*suite_engine(), graph, losses_contract, options, program);
  } catch (const Error& error) {
    return {error.category(), error.what()};
  }
  return {ErrorCategory::Internal, "nothing was thrown"};
}

// Adds up what it hears; node `leaver` ends after `stays` rounds, the others after ten.
Task<double> ten_rounds(Node& node, NodeId leaver, int stays) {
  double heard = 0;
  for (int round = 0; round < (node.id() == leaver ? stays : 10); ++round) {
    Message mine(Kind::own_statistics);
    mine.number(node.id());
    const Inbox inbox = co_await node.exchange(mine, node.deadline());
    for (const Received& other : inbox) heard += other.message.number(0);
  }
  co_return heard;
}

TEST(LostPeers, FailNamesTheNodeThatEnded) {
  const Graph graph = make_topology("ring:2", 8, 0);
  const Failure failure = failure_of(graph, {}, [](Node& node) { return ten_rounds(node, 5, 3); });
  EXPECT_EQ(failure.category, ErrorCategory::PeerLost);
  EXPECT_EQ(failure.sentence, "node 4: suite: node 4 waits in round 3 for node 5, which has ended");
}

TEST(LostPeers, ProceedGoesOnWithoutItAndSaysSo) {
  const Graph graph = make_topology("ring:2", 8, 0);
  const RunOptions options{.lost_peers = LostPeers::proceed};
  const auto outcome = run_nodes<double>(*suite_engine(), graph, losses_contract, options,
                                         [](Node& node) { return ten_rounds(node, 5, 3); });
  const auto check = [&](NodeId node, double expected) {
    const auto& heard = outcome.results[static_cast<std::size_t>(node)];
    if (heard) {
      EXPECT_EQ(*heard, expected) << "node " << node;
    }
  };
  check(5, 3 * (4 + 6));
  check(4, 10 * 3 + 3 * 5);
  check(6, 10 * 7 + 3 * 5);
  check(1, 10 * (0 + 2));
  const std::vector<PeerLoss> expected = {{4, 5, 3, "has ended"}, {6, 5, 3, "has ended"}};
  EXPECT_EQ(outcome.report.losses, expected);
  for (const PeerLoss& loss : outcome.report.losses) {
    EXPECT_GT(loss.at, Time()) << "every engine says when";
    EXPECT_LE(loss.at.time_since_epoch(), outcome.report.elapsed);
  }
}

Task<double> throws_in_round(Node& node, int round_of_five, int round_of_two) {
  for (int round = 0; round < 10; ++round) {
    if (node.id() == 5 && round == round_of_five) throw Error(ErrorCategory::Numerical, "five broke");
    if (node.id() == 2 && round == round_of_two) throw Error(ErrorCategory::BadData, "two broke");
    const Message mine(Kind::control);
    co_await node.exchange(mine, node.deadline());
  }
  co_return 0;
}

TEST(Failures, TheLowestRoundCountsThenTheLowestNode) {
  const Graph graph = make_topology("ring:2", 8, 0);
  for (int repetition = 0; repetition < 5; ++repetition) {
    const Failure earlier = failure_of(graph, {}, [](Node& node) { return throws_in_round(node, 3, 7); });
    EXPECT_EQ(earlier.category, ErrorCategory::Numerical);
    EXPECT_EQ(earlier.sentence, "node 5: five broke");
    const Failure together = failure_of(graph, {}, [](Node& node) { return throws_in_round(node, 6, 6); });
    EXPECT_EQ(together.category, ErrorCategory::BadData);
    EXPECT_EQ(together.sentence, "node 2: two broke");
  }
}

Task<double> sends_raw_samples(Node& node) {
  const Message mine(node.id() == 3 ? Kind::raw_samples : Kind::control);
  co_await node.exchange(mine, node.deadline());
  co_return 0;
}

TEST(Failures, AKindThatWasNotDeclaredNeverLeavesTheNode) {
  const Graph graph = make_topology("ring:2", 8, 0);
  const Failure failure = failure_of(graph, {}, sends_raw_samples);
  EXPECT_EQ(failure.category, ErrorCategory::InvalidArgument);
  EXPECT_EQ(
      failure.sentence,
      "node 3: suite: node 3 was about to send raw_samples, but the method declares only own_statistics, "
      "totals, control; nothing was sent");
}

Task<double> hears_nobody(Node& node) {
  const Channel channel = node.open_channel();
  const auto received =
      co_await node.receive(channel, Deadline::after(std::chrono::milliseconds(20), node.now()));
  co_return received ? 1 : 0;
}

TEST(Deadlines, AMessageThatNeverComesIsNothing) {
  const Graph graph = make_topology("ring:2", 8, 0);
  const auto outcome = run_nodes<double>(*suite_engine(), graph, losses_contract, {}, hears_nobody);
  for (const auto& heard : outcome.results) {
    if (heard) {
      EXPECT_EQ(*heard, 0);
    }
  }
}

// Node 3 never takes part; its neighbours wait for it.
Task<double> one_is_absent(Node& node) {
  if (node.id() == 3) {
    const Channel channel = node.open_channel();
    co_await node.receive(channel, Deadline::after(std::chrono::seconds(20), node.now()));
  }
  const Message mine(Kind::control);
  co_await node.exchange(mine, node.deadline());
  co_return 0;
}

TEST(Deadlines, ANodeThatMissesItsDeadlineIsNamed) {
  const Graph graph = make_topology("ring:2", 8, 0);
  const RunOptions options{.deadline = std::chrono::milliseconds(300)};
  const Failure failure = failure_of(graph, options, one_is_absent);
  EXPECT_EQ(failure.category, ErrorCategory::PeerLost);
  EXPECT_NE(failure.sentence.find("node 3"), std::string::npos) << failure.sentence;
}

TEST(Memory, ARunThatDoesNotFitIsRefusedWithNumbers) {
  Contract huge = losses_contract;
  huge.memory = [](NodeId node) { return (node == 6 ? 900ull : 400ull) << 40; };
  const Graph graph = make_topology("ring:2", 8, 0);
  try {
    run_nodes<double>(*suite_engine(), graph, huge, {}, [](Node& node) { return ten_rounds(node, -1, 0); });
    ADD_FAILURE() << "it ran";
  } catch (const Error& error) {
    EXPECT_EQ(error.category(), ErrorCategory::OutOfMemory);
    EXPECT_NE(std::string(error.what()).find("8 nodes need"), std::string::npos) << error.what();
  }
}

Task<double> until_stopped(Node& node, std::stop_source* stop) {
  for (int round = 0; round < 1000000; ++round) {
    if (round == 20) stop->request_stop();
    const Message mine(Kind::control);
    co_await node.exchange(mine, node.deadline());
  }
  co_return 0;
}

TEST(Cancellation, EndsTheRunAndDestroysItsFrames) {
  const Graph graph = make_topology("ring:2", 8, 0);
  std::stop_source stop;
  const RunOptions options{.watch = {.progress = {}, .stop = stop.get_token()}};
  const Failure failure = failure_of(graph, options, [&](Node& node) { return until_stopped(node, &stop); });
  EXPECT_EQ(failure.category, ErrorCategory::Cancelled) << failure.sentence;
}

}  // namespace
}  // namespace choir
