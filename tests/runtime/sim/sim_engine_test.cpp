#include "choir/runtime/sim/sim_engine.h"

#include <algorithm>
#include <stop_token>

#include "runtime/rough_network.h"
#include "runtime/support.h"

namespace choir {
namespace {

using namespace std::chrono_literals;

struct Traced {
  RunReport report;
  std::vector<TraceEvent> events;

  std::vector<TraceEvent> of(TraceType type) const {
    std::vector<TraceEvent> found;
    std::ranges::copy_if(events, std::back_inserter(found),
                         [&](const TraceEvent& e) { return e.type == type; });
    return found;
  }
};

Traced run_traced(SimOptions sim, const Graph& graph, const Contract& contract, const Program& program,
                  const RunOptions& options = {}) {
  Traced traced;
  sim.trace = [&](const TraceEvent& event) { traced.events.push_back(event); };
  traced.report = SimEngine(sim).run(graph, contract, program, options);
  return traced;
}

RunOptions seeded(std::uint64_t seed) {
  RunOptions options;
  options.seed = seed;
  return options;
}

RunOptions proceeding() {
  RunOptions options;
  options.lost_peers = LostPeers::proceed;
  return options;
}

const Program five_rounds = [](Node& node) -> Task<void> { co_await testing::sum_of_rounds(node, 1, 5); };

// Tells its neighbours something every 10 ms, ten times, and hears what it hears.
const Program chatter = [](Node& node) -> Task<void> {
  for (int i = 0; i < 10; ++i) {
    for (const NodeId neighbor : node.neighbors()) node.send(neighbor, testing::message_on(1, i));
    const Deadline until = Deadline::after(10ms, node.now());
    while (co_await node.receive(1, until)) continue;
  }
};

SimOptions stormy() {
  SimOptions sim = testing::rough_network();
  sim.latency = parse_latency("1ms+exp:5ms");
  sim.duplicate = 0.1;
  sim.crashes = {parse_node_time("3@35ms")};
  return sim;
}

TEST(SimEngine, TheSameSeedGivesTheSameTrace) {
  const auto trace_of = [](std::uint64_t seed) {
    return run_traced(stormy(), ring_graph(8, 4), raw_contract(), chatter, seeded(seed)).events;
  };
  const std::vector<TraceEvent> first = trace_of(1);
  EXPECT_GT(first.size(), 500u);
  EXPECT_EQ(trace_of(1), first);
  EXPECT_NE(trace_of(2), first);
}

TEST(SimEngine, TheTraceNeverRunsBackwards) {
  const Traced run = run_traced(stormy(), ring_graph(8, 4), raw_contract(), chatter);
  EXPECT_TRUE(std::ranges::is_sorted(run.events, {}, &TraceEvent::time));
}

TEST(SimEngine, EverySentMessageIsDeliveredDiscardedOrLostAndCopiesAreExtra) {
  const Traced run = run_traced(stormy(), ring_graph(8, 4), raw_contract(), chatter, seeded(3));
  const std::size_t sent = run.of(TraceType::send).size(), lost = run.of(TraceType::lose).size();
  const std::size_t copies = run.of(TraceType::repeat).size(), discarded = run.of(TraceType::discard).size();
  const std::size_t delivered = run.of(TraceType::deliver).size();
  EXPECT_GT(lost, 0u);
  EXPECT_GT(copies, 0u);
  EXPECT_GT(discarded, 0u);
  EXPECT_LE(delivered + discarded, sent - lost + copies);
  EXPECT_GE(delivered + discarded + 8 * 4 * 3, sent - lost + copies)
      << "only the last few were still on their way";
  EXPECT_EQ(run.report.ledger.total().messages, sent) << "what the network loses was sent all the same";
}

TEST(SimEngine, SynchronousResultsDoNotDependOnTheNetworksWeather) {
  const auto results = [](const SimOptions& sim) {
    SimEngine engine(sim);
    return run_nodes<double>(engine, ring_graph(12, 4), test_contract(), {},
                             [](Node& node) { return testing::sum_of_rounds(node, node.id(), 10); });
  };
  SimOptions weather;
  weather.latency = parse_latency("1ms+exp:50ms");
  weather.loss = 0.4;
  weather.partitions = {parse_partition_fault("0..5@10ms..2s")};
  weather.slow = {parse_slow_node("7x100")};
  weather.joins = {parse_node_time("2@500ms")};
  const auto calm = results({}), rough = results(weather);
  EXPECT_EQ(calm.results, rough.results);
  EXPECT_EQ(calm.report.ledger, rough.report.ledger);
  EXPECT_GT(rough.report.elapsed, Duration(2s)) << "the partition held it up";
}

TEST(SimEngine, ASleepingHourTakesNoRealTime) {
  const Program program = [](Node& node) -> Task<void> {
    const Time before = node.now();
    co_await node.sleep(1h);
    EXPECT_EQ(node.now() - before, Duration(1h));
  };
  EXPECT_GE(SimEngine().run(ring_graph(4, 2), test_contract(), program, {}).elapsed, Duration(1h));
}

TEST(SimEngine, ASlowNodeTakesItsTimeAndItsNeighboursWait) {
  std::vector<Time> ends(4);
  const Program program = [&](Node& node) -> Task<void> {
    co_await node.sleep(1s);
    ends[static_cast<std::size_t>(node.id())] = node.now();
    co_await node.exchange(number_message(1), node.deadline());
    EXPECT_GE(node.now(), node.id() == 1 ? Time(10s) : Time(1s));
  };
  SimOptions sim;
  sim.slow = {parse_slow_node("2x10")};
  SimEngine(sim).run(line_graph(4), test_contract(), program, {});
  EXPECT_THAT(ends, ElementsAre(Time(1s), Time(1s), Time(10s), Time(1s)));
}

TEST(SimEngine, ASlowNodeMaySleepForEver) {
  const Program program = [](Node& node) -> Task<void> { co_await node.sleep(Duration::max()); };
  SimOptions sim;
  sim.slow = {parse_slow_node("0x1000")};
  testing::expect_error(ErrorCategory::PeerLost, {"sleeps"},
                        [&] { SimEngine(sim).run(line_graph(2), test_contract(), program, {}); });
}

TEST(SimEngine, ACrashDestroysTheFramesTellsNobodyAndIsReported) {
  std::vector<std::string> log;
  const Program program = [&](Node& node) -> Task<void> {
    const Witness witness(log, "node " + std::to_string(node.id()));
    const std::optional<Received> received = co_await node.receive(1, Deadline::at(Time(3s)));
    EXPECT_FALSE(received);
  };
  SimOptions sim;
  sim.crashes = {parse_node_time("1@2s")};
  const Traced run = run_traced(sim, line_graph(3), test_contract(), program);
  EXPECT_THAT(log, ElementsAre("node 1", "node 0", "node 2"));
  EXPECT_THAT(run.report.crashed, ElementsAre(1));
  ASSERT_EQ(run.of(TraceType::crash).size(), 1u);
  EXPECT_EQ(run.of(TraceType::crash)[0].time, Time(2s));
  const NodeEvent crash{.what = NodeEvent::What::crashed, .node = 1, .at = Time(2s), .until = Time(2s)};
  EXPECT_THAT(run.report.node_events, ElementsAre(crash));
  EXPECT_EQ(run.of(TraceType::expire).size(), 2u) << "the others waited their time out";
}

TEST(SimEngine, ACrashInASynchronousRoundIsALostPeer) {
  SimOptions sim;
  sim.crashes = {parse_node_time("2@3ms")};
  testing::expect_error(ErrorCategory::PeerLost, {"node 1", "for node 2, which missed its deadline"},
                        [&] { SimEngine(sim).run(line_graph(4), test_contract(), five_rounds, {}); });
  const RunReport report = SimEngine(sim).run(line_graph(4), test_contract(), five_rounds, proceeding());
  EXPECT_THAT(report.losses, ::testing::Contains(PeerLoss{1, 2, 3, "missed its deadline"}));
  EXPECT_THAT(report.losses, ::testing::Contains(PeerLoss{3, 2, 3, "missed its deadline"}));
  EXPECT_THAT(report.crashed, ElementsAre(2));
  for (const PeerLoss& loss : report.losses) {
    EXPECT_GE(loss.at, Time(3ms) + proceeding().deadline) << "nobody notices before the deadline";
    EXPECT_LE(loss.at.time_since_epoch(), report.elapsed);
  }
  ASSERT_EQ(report.node_events.size(), 1u);
  EXPECT_EQ(report.node_events[0].at, Time(3ms));
  EXPECT_EQ(report.node_events[0].round, 2u) << "a round takes 1.1 ms";
}

TEST(SimEngine, ReportsTheFaultsThatTheRunReachedInTheOrderOfTime) {
  SimOptions sim;
  sim.crashes = {parse_node_time("2@60ms"), parse_node_time("3@10h")};
  sim.joins = {parse_node_time("0@50ms")};
  sim.partitions = {parse_partition_fault("2..3@10ms..70ms"), parse_partition_fault("2..3@80ms..10h"),
                    parse_partition_fault("0..1@5h..6h")};
  const RunReport report = SimEngine(sim).run(line_graph(4), raw_contract(), chatter, {});
  using enum NodeEvent::What;
  const Time end(report.elapsed);
  ASSERT_GT(end, Time(80ms));
  EXPECT_THAT(
      report.node_events,
      ElementsAre(NodeEvent{cut_off, 2, Time(10ms), Time(70ms)},
                  NodeEvent{cut_off, 3, Time(10ms), Time(70ms)}, NodeEvent{joined, 0, Time(50ms), Time(50ms)},
                  NodeEvent{crashed, 2, Time(60ms), Time(60ms)}, NodeEvent{cut_off, 3, Time(80ms), end}));
}

TEST(SimEngine, CountsTheMessagesOfASenderThatDidNotJustArriveAsTheTraceHasThem) {
  SimOptions sim;
  sim.loss = 0.2;
  sim.duplicate = 0.3;
  sim.joins = {parse_node_time("0@20ms")};
  const Traced run = run_traced(sim, line_graph(4), raw_contract(), chatter);
  ASSERT_EQ(run.report.message_faults.size(), 4u);
  for (NodeId node = 0; node < 4; ++node) {
    const auto sent_by_node = [&](TraceType type) {
      return static_cast<std::uint64_t>(
          std::ranges::count(run.of(type), node, [](const TraceEvent& event) { return event.node; }));
    };
    const auto too_early = std::ranges::count_if(run.of(TraceType::discard), [&](const TraceEvent& event) {
      return event.node == node && event.peer == 0 && event.time < Time(20ms);
    });
    const MessageFaults expected{.lost = sent_by_node(TraceType::lose),
                                 .repeated = sent_by_node(TraceType::repeat),
                                 .discarded = static_cast<std::uint64_t>(too_early)};
    EXPECT_EQ(run.report.message_faults[static_cast<std::size_t>(node)], expected) << node;
    EXPECT_GT(expected.lost, 0u);
    EXPECT_EQ(expected.discarded > 0, node == 1) << "the only neighbour of the node that is late";
  }
}

TEST(SimEngine, AReliableLinkThatLosesAMessageSendsItAgain) {
  SimOptions sim;
  sim.loss = 0.5;
  const RunReport report = SimEngine(sim).run(ring_graph(6, 2), test_contract(), five_rounds, {});
  std::uint64_t again = 0;
  for (const MessageFaults& faults : report.message_faults) {
    again += faults.sent_again;
    EXPECT_EQ(faults.lost, 0u);
  }
  const auto messages = static_cast<double>(report.ledger.total().messages);
  EXPECT_NEAR(static_cast<double>(again) / messages, 1, 0.4) << "once on the average: 1/2 + 1/4 + ...";
}

TEST(SimEngine, ANetworkWithoutFaultsReportsNone) {
  const RunReport report = SimEngine().run(line_graph(4), test_contract(), five_rounds, {});
  EXPECT_THAT(report.node_events, IsEmpty());
  EXPECT_EQ(report.message_faults, std::vector<MessageFaults>(4));
}

SimOptions joining(const char* node_and_time) {
  SimOptions sim;
  sim.joins = {parse_node_time(node_and_time)};
  return sim;
}

TEST(SimEngine, OnReliableLinksANodeThatJoinsLateGetsWhatWasSentBefore) {
  const Traced run = run_traced(joining("0@10s"), line_graph(3), test_contract(), five_rounds);
  EXPECT_GE(run.report.elapsed, Duration(10s));
  ASSERT_EQ(run.of(TraceType::join).size(), 1u);
  EXPECT_EQ(run.of(TraceType::join)[0].time, Time(10s));
  EXPECT_EQ(run.of(TraceType::start).size(), 2u);
  EXPECT_THAT(run.of(TraceType::discard), IsEmpty());
}

TEST(SimEngine, OnRawLinksANodeThatIsNotThereYetMissesWhatIsSent) {
  const Traced run = run_traced(joining("0@50ms"), line_graph(2), raw_contract(), chatter);
  const std::vector<TraceEvent> discarded = run.of(TraceType::discard);
  EXPECT_GT(discarded.size(), 2u);
  EXPECT_LT(discarded.front().time, Time(50ms));
}

TEST(SimEngine, ANodeThatCrashesBeforeItJoinsNeverRuns) {
  SimOptions sim;
  sim.joins = {parse_node_time("1@2s")};
  sim.crashes = {parse_node_time("1@1s")};
  std::vector<NodeId> ran;
  const Program program = [&](Node& node) -> Task<void> {
    ran.push_back(node.id());
    co_return;
  };
  const Traced run = run_traced(sim, line_graph(3), test_contract(), program);
  EXPECT_THAT(ran, ElementsAre(0, 2));
  EXPECT_THAT(run.report.crashed, ElementsAre(1));
}

TEST(SimEngine, APartitionSilencesRawLinksUntilItHeals) {
  SimOptions sim;
  sim.partitions = {parse_partition_fault("0..1@20ms..60ms")};
  const Traced run = run_traced(sim, line_graph(4), raw_contract(), chatter);
  const std::vector<TraceEvent> lost = run.of(TraceType::lose);
  EXPECT_GT(lost.size(), 4u);
  for (const TraceEvent& event : lost) {
    EXPECT_EQ(event.node + event.peer, 1 + 2) << "only the link across the border";
    EXPECT_GE(event.time + 100us, Time(20ms));
    EXPECT_LT(event.time, Time(60ms));
  }
  const std::vector<TraceEvent> delivered = run.of(TraceType::deliver);
  EXPECT_TRUE(std::ranges::any_of(
      delivered, [](const TraceEvent& e) { return e.node == 1 && e.peer == 2 && e.time > Time(60ms); }));
}

TEST(SimEngine, CopiesOnRawLinksAreSeenByTheReceiver) {
  SimOptions sim;
  sim.duplicate = 0.5;
  int received = 0;
  const Program program = [&](Node& node) -> Task<void> {
    if (node.id() == 0) {
      for (int i = 0; i < 100; ++i) node.send(1, testing::message_on(1, i));
      co_return;
    }
    while (co_await node.receive_from(0, 1, Deadline::never())) ++received;
  };
  const Traced run = run_traced(sim, line_graph(2), raw_contract(), program);
  EXPECT_GT(run.of(TraceType::repeat).size(), 20u);
  EXPECT_EQ(received, 100 + static_cast<int>(run.of(TraceType::repeat).size()));
  EXPECT_EQ(run.report.ledger.total().messages, 100u);
}

TEST(SimEngine, CopiesOfASynchronousRoundAreDroppedAndCounted) {
  SimOptions sim;
  sim.duplicate = 0.9;
  const RunReport report = SimEngine(sim).run(ring_graph(6, 2), raw_contract(), five_rounds, {});
  EXPECT_GT(report.duplicate_messages + report.stale_messages, 10u);
}

// After a failure the others' timers still come; none of them may keep the clock at one instant for ever.
TEST(SimEngine, AFailureEndsTheRunWhileOthersWaitWithDeadlines) {
  for (const int what : {0, 1, 2}) {
    const Program program = [what](Node& node) -> Task<void> {
      if (node.id() == 0) fail(ErrorCategory::Numerical, "singular");
      if (what == 0) co_await node.exchange(number_message(1), node.deadline());
      if (what == 1) co_await node.receive(1, node.deadline());
      if (what == 2) co_await node.sleep(1s);
    };
    testing::expect_error(ErrorCategory::Numerical, {"node 0: singular"},
                          [&] { SimEngine().run(line_graph(3), test_contract(), program, {}); });
  }
}

TEST(SimEngine, OptionsThatDoNotFitTheNetworkAreRefused) {
  SimOptions sim;
  sim.crashes = {parse_node_time("9@1s")};
  testing::expect_error(ErrorCategory::InvalidArgument, {"node 9"},
                        [&] { SimEngine(sim).run(line_graph(3), test_contract(), five_rounds, {}); });
}

TEST(SimEngine, MayRunSeveralTimes) {
  SimEngine engine(stormy());
  const RunReport first = engine.run(ring_graph(8, 4), raw_contract(), chatter, seeded(1));
  const RunReport second = engine.run(ring_graph(8, 4), raw_contract(), chatter, seeded(1));
  EXPECT_EQ(first.ledger, second.ledger);
  EXPECT_EQ(first.elapsed, second.elapsed);
}

}  // namespace
}  // namespace choir
