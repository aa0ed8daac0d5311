// Runs that end well: the same as in the simulator, on every number of ranks.
#include <atomic>
#include <numeric>

#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/runtime/mpi/mpi_engine.h"
#include "choir/runtime/process_group.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir {
namespace {

const Contract contract{.method = "test", .kinds = {Kind::own_statistics, Kind::totals, Kind::control}};

Task<double> rounds_of_means(Node& node, int rounds) {
  double value = node.rng(Purpose("start"), 0).uniform();
  for (int round = 0; round < rounds; ++round) {
    Message mine(Kind::own_statistics);
    mine.number(value);
    const Inbox inbox = co_await node.exchange(mine, node.deadline());
    for (const Received& other : inbox) value += other.message.number(0);
    value /= static_cast<double>(inbox.size() + 1);
  }
  co_return value;
}

// The results of all ranks, by node.
std::vector<double> collect(MpiEngine& engine, const std::vector<std::optional<double>>& own) {
  std::vector<double> mine;
  for (const auto& result : own) {
    if (result) mine.push_back(*result);
  }
  std::vector<double> all;
  for (const std::vector<double>& part : ProcessGroup(engine).tell_all(Kind::summaries, mine)) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

TEST(MpiRun, ResultsAndLedgerAreTheSimulatorsBitForBit) {
  MpiEngine engine;
  for (const char* topology : {"ring:4", "star", "erdos:0.2"}) {
    const Graph graph = make_topology(topology, 23, 1);
    const auto program = [](Node& node) { return rounds_of_means(node, 25); };
    const auto outcome = run_nodes<double>(engine, graph, contract, {.seed = 5}, program);
    SimEngine sim;
    const auto expected = run_nodes<double>(sim, graph, contract, {.seed = 5}, program);
    const std::vector<double> all = collect(engine, outcome.results);
    ASSERT_EQ(all.size(), 23u);
    for (std::size_t node = 0; node < 23; ++node) EXPECT_EQ(all[node], expected.results[node]) << topology;
    EXPECT_EQ(outcome.report.ledger, expected.report.ledger) << topology;
    EXPECT_EQ(outcome.report.rounds, 25u);
  }
}

TEST(MpiRun, EachRankHasTheResultsOfItsOwnNodesAlone) {
  MpiEngine engine;
  const Graph graph = make_topology("ring:2", 10, 0);
  const auto outcome =
      run_nodes<double>(engine, graph, contract, {}, [](Node& node) { return rounds_of_means(node, 3); });
  const NodeRange own = engine.own_nodes(10);
  EXPECT_EQ(own.first, 10 * engine.rank() / engine.ranks());
  for (NodeId node = 0; node < 10; ++node) {
    EXPECT_EQ(outcome.results[static_cast<std::size_t>(node)].has_value(), own.has(node));
  }
}

TEST(MpiRun, MoreRanksThanNodesAreAllowed) {
  MpiEngine engine;
  const Graph graph = make_topology("complete", 2, 0);
  const auto outcome =
      run_nodes<double>(engine, graph, contract, {}, [](Node& node) { return rounds_of_means(node, 5); });
  EXPECT_EQ(outcome.report.ledger.total().messages, 10u);
  EXPECT_EQ(collect(engine, outcome.results).size(), 2u);
}

Task<double> echoes_arrays(Node& node, Index rows) {
  double right = 0;
  for (int round = 0; round < 3; ++round) {
    Message mine(Kind::own_statistics);
    const double value = node.id() + 0.25 * round;
    mine.array(Array(Matrix(Matrix::Constant(rows, 2, value))));
    const Inbox inbox = co_await node.exchange(mine, node.deadline());
    for (const Received& other : inbox) {
      const auto values = other.message.array(0).matrix();
      const double expected = other.from + 0.25 * round;
      right += values.rows() == rows && (values.array() == expected).all() ? 1 : 0;
    }
  }
  co_return right;
}

TEST(MpiRun, LargeMessagesArriveWholeInPieces) {
  for (const std::size_t piece : {std::size_t{1000}, std::size_t{1} << 20}) {
    MpiEngine engine({.piece_bytes = piece});
    const Graph graph = make_topology("ring:2", 8, 0);
    const Index rows = piece == 1000 ? 2000 : 200000;  // 32 pieces of a kilobyte, 4 of a megabyte
    const auto outcome =
        run_nodes<double>(engine, graph, contract, {}, [&](Node& node) { return echoes_arrays(node, rows); });
    for (const double right : collect(engine, outcome.results)) EXPECT_EQ(right, 6);
  }
}

Task<double> passes_a_token(Node& node, int laps) {
  const Channel channel = node.open_channel();
  const auto nodes = static_cast<NodeId>(node.network_size());
  const NodeId next = (node.id() + 1) % nodes;
  const NodeId previous = (node.id() + nodes - 1) % nodes;
  double seen = 0;
  for (int lap = 0; lap < laps; ++lap) {
    if (node.id() != 0 || lap > 0) {
      const auto token = co_await node.receive_from(previous, channel, Deadline::never());
      seen = token->message.number(0);
    }
    Message token(Kind::control);
    token.number(seen + 1).on(channel, 0);
    node.send(next, token);
  }
  if (node.id() == 0) {
    const auto token = co_await node.receive(channel, Deadline::never());
    seen = token->message.number(0);
  }
  co_return seen;
}

TEST(MpiRun, ATokenGoesAroundAllRanks) {
  MpiEngine engine;
  const Graph graph = make_topology("ring:2", 9, 0);
  const auto outcome =
      run_nodes<double>(engine, graph, contract, {}, [](Node& node) { return passes_a_token(node, 20); });
  EXPECT_EQ(collect(engine, outcome.results)[0], 180);
}

Task<double> sleeps_and_listens(Node& node) {
  const Time begin = node.now();
  const Channel channel = node.open_channel();
  const Duration nap = std::chrono::milliseconds(5 + 5 * node.id());
  co_await node.sleep(nap);
  const bool slept = node.now() - begin >= nap;
  const auto nothing = co_await node.receive(channel, Deadline::after(nap, node.now()));
  co_return slept && !nothing && node.now() - begin >= 2 * nap ? 1 : 0;
}

TEST(MpiRun, SleepsAndDeadlinesAreNotShort) {
  MpiEngine engine;
  const Graph graph = make_topology("ring:2", 6, 0);
  const auto outcome = run_nodes<double>(engine, graph, contract, {}, sleeps_and_listens);
  for (const double right : collect(engine, outcome.results)) EXPECT_EQ(right, 1);
}

TEST(MpiRun, TheReportIsTheSameOnEveryRank) {
  MpiEngine engine;
  const Graph graph = make_topology("ring:2", 12, 0);
  const auto outcome =
      run_nodes<double>(engine, graph, contract, {.lost_peers = LostPeers::proceed},
                        [](Node& node) { return rounds_of_means(node, node.id() == 7 ? 2 : 6); });
  std::string mine = std::to_string(outcome.report.elapsed.count()) + " " +
                     std::to_string(outcome.report.ledger.total().bytes) + " " +
                     std::to_string(outcome.report.rounds);
  for (const PeerLoss& loss : outcome.report.losses) {
    mine += "; " + std::to_string(loss.node) + " lost " + std::to_string(loss.peer) + ", it " + loss.reason;
  }
  const std::vector<PeerLoss> expected = {{6, 7, 2, "has ended"}, {8, 7, 2, "has ended"}};
  EXPECT_EQ(outcome.report.losses, expected);
  for (const std::string& theirs : ProcessGroup(engine).tell_all(Kind::summaries, mine)) {
    EXPECT_EQ(theirs, mine);
  }
}

TEST(MpiEngine, KnowsHowManyProcessesThereAreAndWhichItIs) {
  const MpiEngine engine;
  EXPECT_EQ(engine.processes(), engine.ranks());
  EXPECT_EQ(engine.process(), engine.rank());
}

// The pieces are shorter than any message, and the messages are of different lengths.
TEST(MpiEngine, TellsMessagesOfAnyLengthInTheOrderOfTheRanks) {
  MpiEngine engine({.piece_bytes = 64});
  const auto matrix_of = [](int rank) { return Matrix::Constant(rank, 77, rank).eval(); };
  const auto text_of = [](int rank) { return std::vector<std::byte>(static_cast<std::size_t>(rank * 5)); };
  Message mine(Kind::summaries);
  mine.integer(engine.rank()).array(Array::of_bytes(text_of(engine.rank()))).array(matrix_of(engine.rank()));
  const std::vector<Message> messages = engine.tell_all(mine);
  ASSERT_EQ(messages.size(), static_cast<std::size_t>(engine.ranks()));
  for (int rank = 0; rank < engine.ranks(); ++rank) {
    const Message& message = messages[static_cast<std::size_t>(rank)];
    EXPECT_EQ(message.kind(), Kind::summaries);
    EXPECT_EQ(message.integer(0), rank);
    EXPECT_EQ(message.array(0).bytes_view().size(), text_of(rank).size());
    EXPECT_EQ(message.array(1).matrix(), matrix_of(rank));
  }
}

TEST(MpiEngine, AFailureOfOneProcessIsThrownByAllAndTheGroupGoesOn) {
  MpiEngine engine;
  ProcessGroup group(engine);
  const Index last = group.size() - 1;
  try {
    group.together([&] {
      if (group.own() == last) fail(ErrorCategory::Io, "no such file");
    });
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.category(), ErrorCategory::Io);
    EXPECT_STREQ(error.what(), "no such file");
  }
  EXPECT_EQ(group.from_speaker<std::string>(Kind::options, [] { return std::string("a"); }), "a");
}

TEST(MpiEngine, RankZeroSpeaks) {
  const MpiEngine engine;
  EXPECT_EQ(engine.is_speaker(), engine.rank() == 0);
}

TEST(MpiEngine, TwoEnginesDoNotHearEachOther) {
  MpiEngine one;
  MpiEngine other;
  const Graph graph = make_topology("ring:2", 8, 0);
  const auto program = [](Node& node) { return rounds_of_means(node, 10); };
  const auto first = run_nodes<double>(one, graph, contract, {.seed = 1}, program);
  const auto second = run_nodes<double>(other, graph, contract, {.seed = 1}, program);
  EXPECT_EQ(first.results, second.results);
  EXPECT_EQ(first.report.ledger, second.report.ledger);
}

TEST(MpiEngine, RefusesPiecesThatMpiCannotCount) {
  EXPECT_THROW(MpiEngine({.piece_bytes = 0}), Error);
  EXPECT_THROW(MpiEngine({.piece_bytes = std::size_t{1} << 31}), Error);
}

}  // namespace
}  // namespace choir
