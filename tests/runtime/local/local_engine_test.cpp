#include "choir/runtime/local/local_engine.h"

#include <atomic>

#include "runtime/support.h"

namespace choir {
namespace {

using namespace std::chrono_literals;

RunReport run_on(int threads, const Graph& graph, const Program& program, const RunOptions& options = {}) {
  LocalOptions local;
  local.threads = threads;
  return LocalEngine(local).run(graph, test_contract(), program, options);
}

void compute_for(Duration duration) {
  const Deadline end = Deadline::after(duration, steady_now());
  while (!end.passed(steady_now())) continue;
}

TEST(LocalEngine, AThousandNodesSleepDifferentTimesOnTwoThreads) {
  std::atomic<int> woken = 0;
  std::atomic<bool> too_early = false;
  const Program program = [&](Node& node) -> Task<void> {
    const Time before = node.now();
    const Duration duration = std::chrono::microseconds(100 * (node.id() % 500));
    co_await node.sleep(duration);
    if (node.now() - before < duration) too_early = true;
    ++woken;
  };
  run_on(2, ring_graph(1000, 2), program);
  EXPECT_EQ(woken, 1000);
  EXPECT_FALSE(too_early);
}

TEST(LocalEngine, SleepersDoNotOccupyThreads) {
  // One after the other, on one thread, these would take 200 x 50 ms.
  const Program program = [](Node& node) -> Task<void> { co_await node.sleep(50ms); };
  EXPECT_LT(run_on(1, ring_graph(200, 2), program).elapsed, Duration(5s));
}

TEST(LocalEngine, WaitingForOneNeighbourIsPatientWhileItComputes) {
  const Program program = [](Node& node) -> Task<void> {
    const Channel channel = node.open_channel();
    if (node.id() == 1) {
      compute_for(200ms);
      Message message = number_message(7);
      message.on(channel, 0);
      node.send(0, message);
      co_return;
    }
    const auto received = co_await node.receive_from(1, channel, Deadline::after(20ms, node.now()));
    EXPECT_TRUE(received.has_value());
  };
  run_on(2, line_graph(2), program);
}

TEST(LocalEngine, AMessageOfOneNeighbourThatNobodySendsIsNothingWhenItIsDue) {
  const Program program = [](Node& node) -> Task<void> {
    const Channel channel = node.open_channel();
    const Deadline deadline = Deadline::after(30ms, node.now());
    if (node.id() == 0) {
      const auto received = co_await node.receive_from(1, channel, deadline);
      EXPECT_FALSE(received.has_value());
      EXPECT_TRUE(deadline.passed(node.now()));
    } else {
      co_await node.sleep(60ms);
    }
  };
  run_on(2, line_graph(2), program);
}

TEST(LocalEngine, ANodeProgramCannotStartAnother) {
  const Program inner = [](Node&) -> Task<void> { co_return; };
  const Program program = [&](Node& node) -> Task<void> {
    if (node.id() == 0) run_on(2, line_graph(2), inner);
    co_return;
  };
  testing::expect_error(ErrorCategory::InvalidArgument, {"node 0", "simulator"},
                        [&] { run_on(2, line_graph(2), program); });
}

TEST(LocalEngine, TheDeadlineOfARoundDoesNotPassWhileANeighbourComputes) {
  for (const int threads : {1, 2}) {
    const Program program = [](Node& node) -> Task<void> {
      for (int round = 0; round < 2; ++round) {
        if (node.id() == 1) compute_for(200ms);
        const Inbox inbox = co_await node.exchange(number_message(1), Deadline::after(20ms, node.now()));
        EXPECT_EQ(inbox.size(), node.neighbors().size());
      }
    };
    EXPECT_THAT(run_on(threads, line_graph(4), program).losses, IsEmpty());
  }
}

TEST(LocalEngine, TheDeadlineOfARoundPassesWhileANeighbourOnlySleeps) {
  const Program program = [](Node& node) -> Task<void> {
    if (node.id() == 1) co_await node.sleep(1h);
    co_await node.exchange(number_message(1), Deadline::after(20ms, node.now()));
  };
  testing::expect_error(ErrorCategory::PeerLost,
                        {"node 0 waits in round 0 for node 1, which missed its deadline"},
                        [&] { run_on(2, line_graph(2), program); });
}

TEST(LocalEngine, AReceiveReturnsWithNothingAtItsDeadline) {
  std::vector<bool> received(2, true);
  const Program program = [&](Node& node) -> Task<void> {
    const Deadline deadline = Deadline::after(30ms, node.now());
    received[static_cast<std::size_t>(node.id())] = (co_await node.receive(1, deadline)).has_value();
    EXPECT_TRUE(deadline.passed(node.now()));
  };
  run_on(1, line_graph(2), program);
  EXPECT_THAT(received, ElementsAre(false, false));
}

// Asks a neighbour and answers whoever asks, with waits that often end just as a message comes.
Task<int> ask_and_answer(Node& node, int questions, std::atomic<int>& satisfied) {
  const Channel channel = node.open_channel();
  Rng rng = node.rng(Purpose("local-test"), 0);
  const auto nodes = static_cast<int>(node.network_size());
  int asked = 0, answers = 0;
  while (satisfied < nodes) {
    if (asked < questions) {
      const auto choice = static_cast<std::size_t>(rng.below(node.neighbors().size()));
      node.send(node.neighbors()[choice], testing::message_on(channel, ++asked));
    }
    const Deadline patience = Deadline::after(std::chrono::microseconds(rng.below(200)), node.now());
    const std::optional<Received> received = co_await node.receive(channel, patience);
    if (!received) continue;
    const double number = received->message.number(0);
    if (number > 0) node.send(received->from, testing::message_on(channel, -number));
    if (number < 0 && ++answers == questions) ++satisfied;
  }
  co_return answers;
}

TEST(LocalEngine, WaitsThatEndJustAsAMessageComesLoseNothing) {
  std::atomic<int> satisfied = 0;
  LocalEngine engine({.threads = 4});
  const auto outcome = run_nodes<int>(engine, ring_graph(60, 6), test_contract(), {},
                                      [&](Node& node) { return ask_and_answer(node, 40, satisfied); });
  EXPECT_THAT(outcome.results, ::testing::Each(std::optional(40)));
}

TEST(LocalEngine, UsesAllCoresUnlessTold) {
  std::atomic<int> ended = 0;
  const Program program = [&](Node&) -> Task<void> {
    ++ended;
    co_return;
  };
  run_on(0, ring_graph(50, 2), program);
  EXPECT_EQ(ended, 50);
}

TEST(LocalEngine, RunsOnNoMoreThreadsThanTold) {
  std::atomic<int> inside = 0, most = 0;
  const Program program = [&](Node& node) -> Task<void> {
    for (int round = 0; round < 3; ++round) {
      const int now = ++inside;
      int seen = most;
      while (seen < now && !most.compare_exchange_weak(seen, now)) continue;
      compute_for(100us);
      --inside;
      co_await node.exchange(number_message(1), node.deadline());
    }
  };
  run_on(2, ring_graph(100, 2), program);
  EXPECT_LE(most, 2);
}

}  // namespace
}  // namespace choir
