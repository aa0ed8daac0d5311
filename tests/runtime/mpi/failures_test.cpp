// Runs that end badly but orderly: every rank throws the same, and the engine goes on to the next run.
#include <stop_token>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/runtime/mpi/mpi_engine.h"
#include "choir/runtime/mpi/placement.h"
#include "choir/runtime/process_group.h"

namespace choir {
namespace {

const Contract only_control{.method = "test", .kinds = {Kind::control}};

Task<void> rounds(Node& node, int count) {
  for (int round = 0; round < count; ++round) {
    const Message mine(Kind::control);
    co_await node.exchange(mine, node.deadline());
  }
}

class Failures : public ::testing::Test {
 protected:
  // Category and sentence, checked to be the same on every rank.
  std::string failure_of(const Program& program, const RunOptions& options = {},
                         const Graph* network = nullptr, const Contract& promised = only_control) {
    std::string mine = "nothing was thrown";
    try {
      engine.run(network != nullptr ? *network : graph, promised, program, options);
    } catch (const Error& error) {
      mine = std::string(to_string(error.category())) + ": " + error.what();
    }
    EXPECT_FALSE(engine.is_broken());
    for (const std::string& theirs : ProcessGroup(engine).tell_all(Kind::failures, mine)) {
      EXPECT_EQ(theirs, mine);
    }
    return mine;
  }
  void TearDown() override {
    const RunReport report = engine.run(graph, only_control, [](Node& node) { return rounds(node, 5); }, {});
    EXPECT_EQ(report.ledger.total().messages, 16u * 5u);
  }

  MpiEngine engine;
  const Graph graph = make_topology("ring:2", 8, 0);
};

Task<void> throws(Node& node, NodeId who, std::uint64_t when) {
  for (std::uint64_t round = 0; round < 20; ++round) {
    if (node.id() == who && round == when) throw Error(ErrorCategory::Numerical, "no pivot is left");
    const Message mine(Kind::control);
    co_await node.exchange(mine, node.deadline());
  }
}

std::string category(ErrorCategory wanted) { return std::string(to_string(wanted)) + ": "; }

TEST_F(Failures, AProgramThatThrowsEndsTheRunOnAllRanks) {
  for (NodeId who = 0; who < 8; ++who) {
    EXPECT_EQ(failure_of([&](Node& node) { return throws(node, who, 6); }),
              category(ErrorCategory::Numerical) + "node " + std::to_string(who) + ": no pivot is left");
  }
}

Task<void> throws_something_else(Node& node) {
  co_await rounds(node, 2);
  if (node.id() == 6) throw std::runtime_error("not one of ours");
  co_await rounds(node, 2);
}

TEST_F(Failures, ExceptionsOfOthersBecomeOurs) {
  EXPECT_EQ(failure_of(throws_something_else), category(ErrorCategory::Internal) + "node 6: not one of ours");
}

TEST_F(Failures, TheLowestRoundCountsThenTheLowestNodeOverAllRanks) {
  const auto program = [](Node& node) {
    return throws(node, node.id(), node.id() == 7 ? 3 : node.id() >= 4 ? 5 : 19);
  };
  for (int repetition = 0; repetition < 5; ++repetition) {
    EXPECT_EQ(failure_of(program), category(ErrorCategory::Numerical) + "node 7: no pivot is left");
  }
}

TEST_F(Failures, ANodeThatEndsEarlyIsMissed) {
  EXPECT_EQ(failure_of([](Node& node) { return rounds(node, node.id() == 3 ? 4 : 9); }),
            category(ErrorCategory::PeerLost) +
                "node 2: test: node 2 waits in round 4 for node 3, which has ended");
}

Task<void> waits_for_a_word(Node& node, NodeId absent) {
  if (node.id() == absent) {
    const Channel channel = node.open_channel();
    co_await node.receive(channel, Deadline::after(std::chrono::minutes(1), node.now()));
  }
  co_await rounds(node, 3);
}

TEST_F(Failures, ANodeThatMissesItsDeadlineIsNamedWithItsRank) {
  const RunOptions options{.deadline = std::chrono::milliseconds(200)};
  const std::string failure = failure_of([](Node& node) { return waits_for_a_word(node, 5); }, options);
  const std::string rank = std::to_string(Placement(8, engine.ranks()).rank_of(5));
  EXPECT_EQ(failure.find(category(ErrorCategory::PeerLost) + "node 5 on rank " + rank +
                         " has missed its deadline: node "),
            0u)
      << failure;
  EXPECT_NE(failure.find("waits for it in round 0"), std::string::npos) << failure;
}

Task<void> computes(Node& node, NodeId slow, Duration duration) {
  co_await rounds(node, 2);
  if (node.id() == slow) std::this_thread::sleep_for(duration);
  co_await rounds(node, 2);
}

// With one rank nobody is there to miss it: the deadline passes only while nothing can run.
TEST_F(Failures, ANodeThatComputesTooLongMissesItsDeadline) {
  const RunOptions options{.deadline = std::chrono::milliseconds(200)};
  const std::string failure =
      failure_of([](Node& node) { return computes(node, 7, std::chrono::milliseconds(1200)); }, options);
  if (engine.ranks() == 1) {
    EXPECT_EQ(failure, "nothing was thrown");
  } else {
    // Any node of the rank: they all wait for the one that computes.
    const std::string on_rank = "node [4-7] on rank " + std::to_string(engine.ranks() - 1);
    EXPECT_THAT(failure, ::testing::ContainsRegex(category(ErrorCategory::PeerLost) + on_rank +
                                                  " has missed its deadline"));
  }
}

TEST_F(Failures, AMissedDeadlineDropsTheNeighbourIfThePolicySaysSo) {
  const RunOptions options{.deadline = std::chrono::milliseconds(200), .lost_peers = LostPeers::proceed};
  const Program program = [](Node& node) -> Task<void> {
    if (node.id() == 5) co_await node.sleep(std::chrono::milliseconds(900));
    co_await rounds(node, 3);
  };
  const RunReport report = engine.run(graph, only_control, program, options);
  const std::vector<PeerLoss> expected = {{4, 5, 0, "missed its deadline"},
                                          {5, 4, 1, "has dropped the link"},
                                          {5, 6, 1, "has dropped the link"},
                                          {6, 5, 0, "missed its deadline"}};
  EXPECT_EQ(report.losses, expected);
  for (const PeerLoss& loss : report.losses) {
    EXPECT_GE(loss.at, Time(options.deadline)) << loss.node << " without " << loss.peer;
    EXPECT_LE(loss.at.time_since_epoch(), report.elapsed);
  }
}

Task<void> waits_for_what_never_comes(Node& node) {
  const Channel channel = node.open_channel();
  if (node.id() == 6) co_await node.receive_from(7, channel, Deadline::never());
  if (node.id() == 7) co_await node.receive_from(6, channel, Deadline::never());
}

TEST_F(Failures, NodesThatWaitForEachOtherAreFoundAtOnce) {
  EXPECT_EQ(
      failure_of(waits_for_what_never_comes),
      category(ErrorCategory::PeerLost) +
          "test: node 6 waits for a message of node 7 on channel 1, which no node will send; 2 of 8 nodes "
          "had not ended");
}

TEST_F(Failures, AStopOnOneRankStopsAll) {
  std::stop_source stop;
  const RunOptions options{.watch = {.progress = {}, .stop = stop.get_token()}};
  const bool asks = engine.rank() == engine.ranks() - 1;
  const auto program = [&](Node& node) -> Task<void> {
    for (std::uint64_t round = 0; true; ++round) {
      if (asks && round == 50) stop.request_stop();
      co_await rounds(node, 1);
    }
  };
  EXPECT_EQ(failure_of(program, options), category(ErrorCategory::Cancelled) + "stopped on request");
}

TEST_F(Failures, RanksThatWereAskedForDifferentRunsSaySo) {
  if (engine.ranks() == 1) return;
  const bool last = engine.rank() == engine.ranks() - 1;
  const std::string rank = "rank " + std::to_string(engine.ranks() - 1);
  const auto program = [](Node& node) { return rounds(node, 1); };
  const std::string remedy = " than rank 0; start all ranks with the same command line";

  const Graph other = make_topology(last ? "complete" : "ring:2", 8, 0);
  EXPECT_EQ(failure_of(program, {}, &other), category(ErrorCategory::InvalidArgument) + rank +
                                                 " was asked to run a different network" + remedy);
  EXPECT_EQ(failure_of(program, {.seed = last ? 2u : 1u}),
            category(ErrorCategory::InvalidArgument) + rank +
                " was asked to run with different options (seed, deadline, lost peers)" + remedy);
  const Contract unlike{.method = last ? "another" : "test", .kinds = {Kind::control}};
  EXPECT_EQ(failure_of(program, {}, nullptr, unlike), category(ErrorCategory::InvalidArgument) + rank +
                                                          " was asked to run a different method" + remedy);
}

TEST_F(Failures, ATroubleOnOneRankBeforeTheRunIsEveryones) {
  Contract contract_with_trouble = only_control;
  contract_with_trouble.memory = [](NodeId node) -> std::uint64_t {
    if (node == 7) throw Error(ErrorCategory::Io, "shard 7 cannot be read");
    return 1;
  };
  EXPECT_EQ(failure_of([](Node& node) { return rounds(node, 1); }, {}, nullptr, contract_with_trouble),
            category(ErrorCategory::Io) + "shard 7 cannot be read");
}

TEST_F(Failures, RanksOfOneMachineShareItsMemory) {
  Contract huge = only_control;
  huge.memory = [](NodeId node) { return (node == 6 ? 900ull : 400ull) << 40; };
  const std::string failure = failure_of([](Node& node) { return rounds(node, 1); }, {}, nullptr, huge);
  EXPECT_EQ(failure.find(category(ErrorCategory::OutOfMemory) + "test: 8 nodes need "), 0u) << failure;
  EXPECT_NE(failure.find("node 6 the most"), std::string::npos) << failure;
}

}  // namespace
}  // namespace choir
