#include "choir/runtime/node.h"

#include "runtime/support.h"

#include "choir/runtime/sim/sim_engine.h"

namespace choir {
namespace {

using namespace std::chrono_literals;

// What went over the network, written down by the simulator itself.
struct TracedRun {
  RunReport report;
  std::vector<TraceEvent> sent;
};

TracedRun run_on(const Graph& graph, const Contract& contract, const Program& program,
                 const RunOptions& options = {}) {
  TracedRun run;
  SimOptions sim;
  sim.trace = [&](const TraceEvent& event) {
    if (event.type == TraceType::send) run.sent.push_back(event);
  };
  run.report = SimEngine(sim).run(graph, contract, program, options);
  return run;
}

TEST(Node, KnowsItsPlaceInTheNetwork) {
  const Graph graph = line_graph(3);
  const Program program = [](Node& node) -> Task<void> {
    EXPECT_EQ(node.network_size(), 3);
    if (node.id() == 1) {
      EXPECT_THAT(node.neighbors(), ElementsAre(0, 2));
      EXPECT_EQ(node.position_of(2), 1);
      EXPECT_FALSE(node.lost(0));
      const TreePlace place = node.tree();
      EXPECT_EQ(place.parent, 0);
      EXPECT_THAT(place.children, ElementsAre(2));
      EXPECT_EQ(place.depth, 1);
      EXPECT_EQ(place.height, 2);
    }
    co_return;
  };
  run_on(graph, test_contract(), program);
}

TEST(Node, RefusesToSendToANodeItIsNotLinkedTo) {
  for (const NodeId target : {2, 1 - 1, 7, -1}) {
    const Program program = [target](Node& node) -> Task<void> {
      if (node.id() == 0) node.send(target, number_message(1));
      co_return;
    };
    expect_error(ErrorCategory::InvalidArgument, {"node 0", "not linked to node", "neighbours only"},
                 [&] { run_on(line_graph(3), test_contract(), program); });
  }
}

TEST(Node, RefusesToReceiveFromANodeItIsNotLinkedTo) {
  const Program program = [](Node& node) -> Task<void> {
    if (node.id() == 0) co_await node.receive_from(2, 1, Deadline::never());
  };
  expect_error(ErrorCategory::InvalidArgument, {"node 0 is not linked to node 2"},
               [&] { run_on(line_graph(3), test_contract(), program); });
}

TEST(Node, RefusesAKindThatWasNotDeclaredAndSendsNothing) {
  std::optional<Error> caught;
  const Program program = [&](Node& node) -> Task<void> {
    try {
      if (node.id() == 0) node.send(1, number_message(1, Kind::raw_samples));
    } catch (const Error& error) {
      caught = error;
    }
    co_return;
  };
  const TracedRun run = run_on(line_graph(2), test_contract({Kind::own_statistics, Kind::control}), program);
  ASSERT_TRUE(caught);
  EXPECT_EQ(caught->category(), ErrorCategory::InvalidArgument);
  EXPECT_STREQ(
      caught->what(),
      "test: node 0 was about to send raw_samples, but the method declares only own_statistics, control; "
      "nothing was sent");
  EXPECT_TRUE(run.sent.empty());
  EXPECT_EQ(run.report.ledger.total(), Traffic());
}

TEST(Node, AnExchangeWithOneUndeclaredKindSendsNothingToAnyone) {
  bool refused = false;
  const Program program = [&](Node& node) -> Task<void> {
    if (node.id() != 0) co_return;
    const std::vector<Message> mixed = {number_message(1), number_message(2),
                                        number_message(3, Kind::raw_samples)};
    try {
      co_await node.exchange(mixed, node.deadline());
    } catch (const Error&) {
      refused = true;
    }
  };
  const TracedRun run = run_on(star_graph(4), test_contract(), program);
  EXPECT_TRUE(refused);
  EXPECT_TRUE(run.sent.empty());
  EXPECT_EQ(run.report.ledger.total(), Traffic());
}

TEST(Node, RefusesToSendIntoSomeonesSynchronousRounds) {
  const Program program = [](Node& node) -> Task<void> {
    if (node.id() == 0) node.send(1, number_message(1));
    co_return;
  };
  expect_error(ErrorCategory::InvalidArgument, {"node 0", "channel 0", "exchange()"},
               [&] { run_on(line_graph(2), test_contract(), program); });
}

TEST(Node, RefusesAnOutboxOfTheWrongLength) {
  for (const std::size_t length : {0, 1, 3}) {
    const Program program = [length](Node& node) -> Task<void> {
      const std::vector<Message> messages(length, number_message(1));
      co_await node.exchange(messages, node.deadline());
    };
    expect_error(ErrorCategory::InvalidArgument,
                 {"node 0 has 2 neighbours", (std::to_string(length) + " messages").c_str()},
                 [&] { run_on(ring_graph(4, 2), test_contract(), program); });
  }
}

TEST(Node, AnOutboxByPositionReachesEachNeighbourWithItsOwn) {
  std::vector<double> got(4, 0);
  const Program program = [&](Node& node) -> Task<void> {
    std::vector<Message> messages;
    for (const NodeId neighbor : node.neighbors())
      messages.push_back(number_message(10 * node.id() + neighbor));
    const Inbox inbox = co_await node.exchange(messages, node.deadline());
    for (const Received& received : inbox) {
      EXPECT_EQ(received.message.number(0), 10 * received.from + node.id());
      got[static_cast<std::size_t>(node.id())] += 1;
    }
  };
  run_on(complete_graph(4), test_contract(), program);
  EXPECT_THAT(got, ElementsAre(3, 3, 3, 3));
}

TEST(Node, FindsProgramsThatDiverged) {
  const Program program = [](Node& node) -> Task<void> {
    co_await node.exchange(number_message(1), node.deadline());
    const Kind kind = node.id() == 2 ? Kind::control : Kind::own_statistics;
    co_await node.exchange(number_message(1, kind), node.deadline());
  };
  expect_error(ErrorCategory::Internal,
               {"in round 1 node 1 sent own_statistics and got control from node 2", "diverged"}, [&] {
                 run_on(line_graph(4), test_contract({Kind::own_statistics, Kind::control}), program);
               });
}

TEST(Node, CountsItsRounds) {
  const Program program = [](Node& node) -> Task<void> {
    for (std::uint64_t round = 0; round < 5; ++round) {
      EXPECT_EQ(node.round(), round);
      co_await node.exchange(number_message(1), node.deadline());
    }
  };
  EXPECT_EQ(run_on(ring_graph(5, 2), test_contract(), program).report.rounds, 5u);
}

TEST(Node, ChannelsKeepConversationsApart) {
  std::vector<double> order;
  const Program program = [&](Node& node) -> Task<void> {
    const Channel first = node.open_channel();
    const Channel second = node.open_channel();
    EXPECT_NE(first, second);
    EXPECT_NE(first, exchange_channel);
    if (node.id() == 0) {
      node.send(1, testing::message_on(second, 2));
      node.send(1, testing::message_on(first, 1));
    } else {
      for (const Channel channel : {first, second}) {
        const std::optional<Received> received = co_await node.receive(channel, Deadline::never());
        order.push_back(received->message.number(0));
      }
    }
    co_await node.exchange(number_message(3), node.deadline());
  };
  run_on(line_graph(2), test_contract(), program);
  EXPECT_THAT(order, ElementsAre(1, 2));
}

TEST(Node, ReceivesNothingOnceWhomItWaitsForHasEnded) {
  bool from_one = true, from_anyone = true, in_time = true;
  const Program program = [&](Node& node) -> Task<void> {
    if (node.id() == 0) co_return;
    in_time = (co_await node.receive(1, Deadline::at(Time(5s)))).has_value();
    EXPECT_GE(node.now(), Time(5s)) << "with a deadline it waits for that";
    from_one = (co_await node.receive_from(0, 1, Deadline::never())).has_value();
    from_anyone = (co_await node.receive(1, Deadline::never())).has_value();
  };
  run_on(line_graph(2), test_contract(), program);
  EXPECT_FALSE(in_time);
  EXPECT_FALSE(from_one);
  EXPECT_FALSE(from_anyone);
}

TEST(Node, WhatWasSentBeforeTheEndStillArrives) {
  std::vector<double> got;
  const Program program = [&](Node& node) -> Task<void> {
    if (node.id() == 0) {
      for (int i = 0; i < 3; ++i) node.send(1, testing::message_on(1, i));
      co_return;
    }
    co_await node.sleep(1s);
    while (true) {
      const std::optional<Received> received = co_await node.receive_from(0, 1, Deadline::never());
      if (!received) break;
      got.push_back(received->message.number(0));
    }
  };
  run_on(line_graph(2), test_contract(), program);
  EXPECT_THAT(got, ElementsAre(0, 1, 2));
}

TEST(Node, GivingUpOnANeighbourFollowsThePolicy) {
  const Program program = [](Node& node) -> Task<void> {
    if (node.id() == 1) {
      node.give_up_on(0, "never answers");
      EXPECT_TRUE(node.lost(node.position_of(0)));
      node.give_up_on(0, "said once");
    }
    const Inbox inbox = co_await node.exchange(number_message(1), node.deadline());
    EXPECT_EQ(inbox.size(), node.id() == 0 ? 0u : 1u);
  };
  RunOptions options;
  expect_error(ErrorCategory::PeerLost, {"node 1", "node 0", "never answers"},
               [&] { run_on(line_graph(3), test_contract(), program, options); });
  options.lost_peers = LostPeers::proceed;
  const TracedRun run = run_on(line_graph(3), test_contract(), program, options);
  EXPECT_THAT(run.report.losses,
              ElementsAre(PeerLoss{0, 1, 0, "has dropped the link"}, PeerLoss{1, 0, 0, "never answers"}));
}

TEST(Node, RandomNumbersDependOnSeedNodePurposeAndRoundAlone) {
  std::vector<double> drawn;
  const Program program = [&](Node& node) -> Task<void> {
    for (const Purpose purpose : {Purpose("a"), Purpose("b")}) {
      for (const std::uint64_t round : {0, 1}) drawn.push_back(node.rng(purpose, round).uniform());
    }
    co_return;
  };
  RunOptions options;
  options.seed = 5;
  run_on(line_graph(2), test_contract(), program, options);
  EXPECT_EQ(drawn[0], Rng(5, Purpose("a"), 0, 0).uniform());
  EXPECT_EQ(drawn[7], Rng(5, Purpose("b"), 1, 1).uniform());
  std::ranges::sort(drawn);
  EXPECT_EQ(std::ranges::adjacent_find(drawn), drawn.end()) << "all eight streams differ";
}

TEST(Node, TheDeadlineIsNowAndTheRunsOwn) {
  const Program program = [](Node& node) -> Task<void> {
    co_await node.sleep(2s);
    EXPECT_EQ(node.deadline().time() - node.now(), Duration(7s));
  };
  RunOptions options;
  options.deadline = 7s;
  run_on(line_graph(2), test_contract(), program, options);
}

}  // namespace
}  // namespace choir
