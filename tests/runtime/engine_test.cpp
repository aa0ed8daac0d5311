#include "choir/runtime/engine.h"

#include <atomic>
#include <stop_token>

#include "runtime/support.h"

#include "choir/linalg/blas.h"
#include "choir/runtime/local/local_engine.h"
#include "choir/runtime/message_codec.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir {
namespace {

using ::testing::Each;
using namespace std::chrono_literals;

// 0 threads: the simulator. The promises of engine.h hold on it as they do on threads.
std::unique_ptr<Engine> engine_of(int threads) {
  if (threads == 0) return std::make_unique<SimEngine>();
  return std::make_unique<LocalEngine>(LocalOptions{.threads = threads});
}

class EngineTest : public ::testing::TestWithParam<int> {
 protected:
  RunReport run(const Graph& graph, const Program& program, const RunOptions& options = {}) {
    return engine_->run(graph, test_contract(), program, options);
  }
  std::unique_ptr<Engine> engine_ = engine_of(GetParam());
};

std::string name_of(const ::testing::TestParamInfo<int>& info) {
  return info.param == 0 ? "sim" : "local" + std::to_string(info.param);
}
INSTANTIATE_TEST_SUITE_P(Engines, EngineTest, ::testing::Values(0, 1, 2, 8), name_of);

TEST_P(EngineTest, ARunOfManyRoundsGivesTheSameBitsAndTheSameLedger) {
  const auto outcome_on = [](Engine& engine) {
    return run_nodes<double>(engine, ring_graph(200, 6), test_contract(), {},
                             [](Node& node) { return testing::sum_of_rounds(node, node.id(), 30); });
  };
  SimEngine truth;
  const auto expected = outcome_on(truth);
  const auto outcome = outcome_on(*engine_);
  EXPECT_EQ(outcome.results, expected.results);
  EXPECT_EQ(outcome.report.ledger, expected.report.ledger);
  EXPECT_EQ(outcome.report.rounds, 30u);
}

// Against the same recursion written as a loop over all nodes at once.
TEST_P(EngineTest, ComputesWhatAPlainLoopComputes) {
  const Graph graph = ring_graph(20, 4);
  std::vector<double> values(20);
  for (std::size_t j = 0; j < 20; ++j) values[j] = static_cast<double>(j);
  for (int round = 0; round < 5; ++round) {
    const std::vector<double> old = values;
    for (NodeId j = 0; j < 20; ++j) {
      for (const NodeId other : graph.neighbors(j)) {
        values[static_cast<std::size_t>(j)] += old[static_cast<std::size_t>(other)] / (2 + other);
      }
    }
  }
  const auto outcome = run_nodes<double>(*engine_, graph, test_contract(), {}, [](Node& node) {
    return testing::sum_of_rounds(node, node.id(), 5);
  });
  for (std::size_t j = 0; j < 20; ++j) EXPECT_EQ(*outcome.results[j], values[j]);
}

TEST_P(EngineTest, TheLedgerHoldsWhatWasSentByNodeAndByLink) {
  // Node j sends j + 1 messages to each neighbour, the k-th of them with a vector of length k.
  const Program program = [](Node& node) -> Task<void> {
    for (int k = 0; k <= node.id(); ++k) {
      for (const NodeId neighbor : node.neighbors()) {
        Message message(Kind::own_statistics);
        message.on(1, 0).array(Vector::Zero(k).eval());
        node.send(neighbor, message);
      }
    }
    co_return;
  };
  const Graph graph = star_graph(4);
  const Ledger ledger = run(graph, program).ledger;
  std::uint64_t all_messages = 0, all_bytes = 0;
  for (NodeId node = 0; node < 4; ++node) {
    const auto messages = static_cast<std::uint64_t>(node + 1);
    const std::uint64_t bytes =
        48 * messages + 8 * messages * (messages - 1) / 2;  // two headers of 24, the values
    const auto links = static_cast<std::uint64_t>(graph.degree(node));
    for (Index position = 0; position < graph.degree(node); ++position) {
      EXPECT_EQ(ledger.link(node, position, Kind::own_statistics), (Traffic{messages, bytes}));
    }
    EXPECT_EQ(ledger.sent_by(node), (Traffic{links * messages, links * bytes}));
    all_messages += links * messages;
    all_bytes += links * bytes;
  }
  EXPECT_EQ(ledger.total(), (Traffic{all_messages, all_bytes}));
}

TEST_P(EngineTest, TheReceiverGetsTheSendersOwnArray) {
  std::vector<const void*> sent(2), received(2);
  const Program program = [&](Node& node) -> Task<void> {
    Message message(Kind::own_statistics);
    message.array(Matrix::Constant(50, 50, node.id()).eval());
    sent[static_cast<std::size_t>(node.id())] = message.array(0).data();
    const Inbox inbox = co_await node.exchange(message, node.deadline());
    received[static_cast<std::size_t>(inbox[0].from)] = inbox[0].message.array(0).data();
    EXPECT_EQ(inbox[0].message.array(0).matrix()(3, 4), inbox[0].from);
  };
  run(line_graph(2), program);
  EXPECT_EQ(sent, received);
}

TEST_P(EngineTest, ReportsTheFailureOfTheLowestRoundThenNodeWhateverTheTiming) {
  const Program program = [](Node& node) -> Task<void> {
    for (int round = 0; round < 10; ++round) {
      if (round == 3 && (node.id() == 7 || node.id() == 5 || node.id() == 11))
        fail(ErrorCategory::Numerical, "early");
      if (round == 4 && node.id() <= 1) fail(ErrorCategory::Numerical, "late");
      if (round == 9) fail(ErrorCategory::Numerical, "last");
      co_await node.exchange(number_message(1), node.deadline());
    }
  };
  const Graph graph = ring_graph(40, 2);
  for (int repeat = 0; repeat < 50; ++repeat) {
    expect_error(ErrorCategory::Numerical, {"node 5: early"}, [&] { run(graph, program); });
    if (HasFailure()) return;
  }
}

// Node 2 waits for node 3, which after the failure is not woken any more: that is nobody's missed deadline.
TEST_P(EngineTest, AFailureIsNotBlamedOnThoseItHoldsBack) {
  const Program program = [](Node& node) -> Task<void> {
    if (node.id() == 3) co_await node.sleep(300ms);
    co_await testing::sum_of_rounds(node, 1, 2);
    if (node.id() == 0) fail(ErrorCategory::Numerical, "singular");
    co_await testing::sum_of_rounds(node, 1, 2);
  };
  expect_error(ErrorCategory::Numerical, {"node 0: singular"}, [&] { run(line_graph(4), program); });
}

const Program node_two_ends_early = [](Node& node) -> Task<void> {
  co_await testing::sum_of_rounds(node, 1, node.id() == 2 ? 3 : 6);
};

TEST_P(EngineTest, ANodeThatEndsEarlyIsALostPeerOfWhoeverWaitsForIt) {
  expect_error(ErrorCategory::PeerLost, {"node 1", "waits in round 3 for node 2, which has ended"},
               [&] { run(line_graph(5), node_two_ends_early); });
}

TEST_P(EngineTest, WithoutANodeThatEndedEarlyTheOthersGoOnAlikeEverywhere) {
  RunOptions options;
  options.lost_peers = LostPeers::proceed;
  const auto outcome_on = [&](Engine& engine) {
    return run_nodes<double>(engine, line_graph(5), test_contract(), options, [](Node& node) {
      return testing::sum_of_rounds(node, node.id(), node.id() == 2 ? 3 : 6);
    });
  };
  SimEngine truth;
  const auto expected = outcome_on(truth);
  const auto outcome = outcome_on(*engine_);
  EXPECT_THAT(outcome.report.losses,
              ElementsAre(PeerLoss{1, 2, 3, "has ended"}, PeerLoss{3, 2, 3, "has ended"}));
  EXPECT_EQ(outcome.report.losses, expected.report.losses);
  EXPECT_EQ(outcome.results, expected.results);
  EXPECT_EQ(outcome.report.ledger, expected.report.ledger);
}

TEST_P(EngineTest, ADeadlockIsReportedAtOnceAndNamesWhoIsToBlame) {
  const Program program = [](Node& node) -> Task<void> {
    co_await testing::sum_of_rounds(node, 1, 2);
    if (node.id() == 3) co_await node.receive(1, Deadline::never());
    co_await testing::sum_of_rounds(node, 1, 2);
  };
  RunOptions options;
  options.deadline = Duration::max();
  expect_error(ErrorCategory::PeerLost, {"test: node 3 waits for a message on channel 1", "5 of 6 nodes"},
               [&] { run(ring_graph(6, 2), program, options); });
}

// Counts the frames that live.
class Counted {
 public:
  explicit Counted(std::atomic<int>& count) : count_(&count) { ++*count_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() { --*count_; }

 private:
  std::atomic<int>* count_;
};

Task<void> exchange_for_ever(Node& node, std::atomic<int>& living) {
  const Counted counted(living);
  while (true) co_await node.exchange(number_message(1), node.deadline());
}

TEST_P(EngineTest, CancellingDestroysEveryFrame) {
  std::stop_source source;
  std::atomic<int> living = 0, most = 0;
  const Program program = [&](Node& node) -> Task<void> {
    const Counted counted(living);
    if (++most == 20) source.request_stop();  // all have begun
    co_await exchange_for_ever(node, living);
  };
  RunOptions options;
  options.watch.stop = source.get_token();
  expect_error(ErrorCategory::Cancelled, {"stopped"}, [&] { run(ring_graph(20, 4), program, options); });
  EXPECT_EQ(most, 20);
  EXPECT_EQ(living, 0);
}

TEST_P(EngineTest, AFailureDestroysEveryFrame) {
  std::atomic<int> living = 0;
  const Program program = [&](Node& node) -> Task<void> {
    const Counted counted(living);
    co_await testing::sum_of_rounds(node, 1, 5);
    if (node.id() == 13) fail(ErrorCategory::Numerical, "singular");
    co_await exchange_for_ever(node, living);
  };
  expect_error(ErrorCategory::Numerical, {"node 13: singular"}, [&] { run(ring_graph(20, 4), program); });
  EXPECT_EQ(living, 0);
}

TEST_P(EngineTest, TheStopTokenReachesALongComputation) {
  std::stop_source source;
  const Program program = [&](Node& node) -> Task<void> {
    const std::stop_token token = node.stop_token();
    source.request_stop();
    EXPECT_TRUE(token.stop_requested());
    std::atomic<int> living = 0;
    co_await exchange_for_ever(node, living);
  };
  RunOptions options;
  options.watch.stop = source.get_token();
  expect_error(ErrorCategory::Cancelled, {"stopped"}, [&] { run(line_graph(3), program, options); });
}

TEST_P(EngineTest, BlasHasOneThreadInsideAProgram) {
  std::vector<int> threads(8, 0);
  const Program program = [&](Node& node) -> Task<void> {
    threads[static_cast<std::size_t>(node.id())] = blas_threads();
    co_await node.exchange(number_message(1), node.deadline());
  };
  run(ring_graph(8, 2), program);
  EXPECT_THAT(threads, Each(1));
}

TEST_P(EngineTest, ASingleNodeRunsAlone) {
  const auto outcome = run_nodes<double>(*engine_, line_graph(1), test_contract(), {},
                                         [](Node& node) { return testing::sum_of_rounds(node, 4, 3); });
  EXPECT_EQ(outcome.results[0], 4);
  EXPECT_EQ(outcome.report.rounds, 3u);
}

TEST_P(EngineTest, TellsHowManyNodesThereAreToWaitFor) {
  std::vector<Index> totals;
  RunOptions options;
  options.watch.progress = [&](const Progress& progress) { totals.push_back(progress.total); };
  const Program program = [](Node& node) -> Task<void> { co_await node.sleep(250ms); };
  run(ring_graph(6, 2), program, options);
  EXPECT_FALSE(totals.empty());
  EXPECT_THAT(totals, Each(6));
}

TEST_P(EngineTest, WhatIsNoErrorOfChoirsComesThroughAsItIs) {
  const Program program = [](Node& node) -> Task<void> {
    co_await testing::sum_of_rounds(node, 1, 1);
    throw std::out_of_range("index");
  };
  EXPECT_THROW(run(ring_graph(5, 2), program), std::out_of_range);
}

}  // namespace
}  // namespace choir
