// Devices that are silent, late, refuse, crash or come later: totals are of those who answered, and say so.
#include "graph/expect_error.h"
#include "learn/federation/toy.h"
#include <gtest/gtest.h>

#include "choir/base/rng.h"
#include "choir/graph/topology.h"
#include "choir/runtime/local/local_engine.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir {
namespace {

using namespace std::chrono_literals;

Play patient_play(bool masked = true) {
  Play play;
  play.options.masked = masked;
  play.options.patience = 100ms;
  return play;
}

Nodes range(NodeId first, NodeId last) {
  Nodes nodes;
  for (NodeId node = first; node <= last; ++node) nodes.push_back(node);
  return nodes;
}

SimEngine with_crash(NodeId node, Duration at) {
  SimOptions options;
  options.crashes = {{.node = node, .at = at}};
  return SimEngine(options);
}

TEST(SilentDevices, AreLeftOutOfOneTotalAndAskedAgain) {
  for (const bool masked : {true, false}) {
    for (const int silent : {0, 3, masked ? 2 : 5}) {  // masked, 7 of 10 must sign
      Play play = patient_play(masked);
      play.devices = 10;
      play.act = [silent](NodeId device, int question) {
        return question == 0 && device <= silent ? Act::keep_silent : Act::answer;
      };
      SimEngine sim;
      LocalEngine threads({.threads = 2});
      for (Engine* engine : {static_cast<Engine*>(&sim), static_cast<Engine*>(&threads)}) {
        const Played played = testing::play(*engine, play);
        expect_true_totals(played, play);
        EXPECT_EQ(played.totals[0].silent, range(1, silent));
        EXPECT_EQ(played.totals[0].answered, range(silent + 1, 10));
        EXPECT_EQ(played.totals[1].answered, range(1, 10));
        EXPECT_EQ(played.totals[0].attempts, 1);
        EXPECT_TRUE(played.report.losses.empty());
      }
    }
  }
}

// Silent in all ten questions, it is waited for in four of them.
TEST(SilentDevices, ThatStaySilentAreWaitedForLessAndLess) {
  for (const bool masked : {true, false}) {
    Play play = patient_play(masked);
    play.questions = 10;
    play.act = [](NodeId device, int) { return device == 3 ? Act::keep_silent : Act::answer; };
    SimEngine engine;
    const Played played = testing::play(engine, play);
    expect_true_totals(played, play);
    for (const Total& total : played.totals) {
      EXPECT_EQ(total.silent, Nodes{3});
      EXPECT_EQ(total.answered.size(), 7u);
    }
    EXPECT_GE(played.report.elapsed, 4 * 100ms);
    EXPECT_LT(played.report.elapsed, 5 * 100ms);
  }
}

// Device 3 rests in the third question, in which another one is silent.
TEST(SilentDevices, AreAskedAtOnceIfTheOthersAreTooFew) {
  for (const bool masked : {true, false}) {
    Play play = patient_play(masked);
    play.options.min_devices = 7;
    play.questions = 3;
    play.act = [](NodeId device, int question) {
      return device == (question < 2 ? 3 : 4) ? Act::keep_silent : Act::answer;
    };
    SimEngine engine;
    const Played played = testing::play(engine, play);
    expect_true_totals(played, play);
    EXPECT_EQ(played.totals[1].silent, Nodes{3});
    EXPECT_EQ(played.totals[2].silent, Nodes{4});
  }
}

TEST(SilentDevices, ThatAreTooManyEndTheRun) {
  SimEngine engine;
  for (const bool masked : {true, false}) {
    Play play = patient_play(masked);
    play.options.min_devices = 3;
    play.act = [](NodeId device, int) {
      return device <= 5 ? Act::keep_silent : device == 6 ? Act::refuse : Act::answer;
    };
    expect_error(ErrorCategory::PeerLost,
                 {"2 of 8 devices answered", "fewer than 3", "silent: nodes 1, 2, 3, 4, 5; refused: nodes 6"},
                 [&] { testing::play(engine, play); });
  }
}

TEST(Refusals, AreTakenAtOnceAndForOneQuestion) {
  SimEngine engine;
  for (const std::optional<double> bound : {std::optional<double>(2.0), std::optional<double>()}) {
    Play play;  // without patience: nobody waits
    play.shape.bound = bound;
    play.act = [](NodeId device, int question) { return device == 2 + question ? Act::refuse : Act::answer; };
    const Played played = testing::play(engine, play);
    expect_true_totals(played, play);
    EXPECT_EQ(played.totals[0].refused, Nodes{2});
    EXPECT_EQ(played.totals[1].refused, Nodes{3});
    EXPECT_TRUE(played.totals[1].silent.empty());
    EXPECT_LT(played.report.elapsed, 1s);
  }
}

// The late answer arrives while the next question is open.
TEST(LateAnswers, AreThrownAwayAndTheDeviceIsBack) {
  for (const bool masked : {true, false}) {
    Play play = patient_play(masked);
    play.lateness = 150ms;
    play.act = [](NodeId device, int question) {
      return question == 0 && device == 3 ? Act::answer_late : Act::answer;
    };
    SimEngine engine;
    const Played played = testing::play(engine, play);
    expect_true_totals(played, play);
    EXPECT_EQ(played.totals[0].silent, Nodes{3});
    EXPECT_EQ(played.totals[1].answered, range(1, 8));
  }
}

// When a device sends its answer to the question of that number.
Time answers_at(const Play& play, NodeId device, int question) {
  std::vector<Time> sent;
  SimOptions options;
  options.trace = [&](const TraceEvent& event) {
    const bool its = event.type == TraceType::send && event.node == device;
    if (its && event.kind == Kind::masked) sent.push_back(event.time);
  };
  SimEngine engine(options);
  testing::play(engine, play);
  return sent.at(static_cast<std::size_t>(question) + 1);  // the count comes first
}

TEST(Crashes, BetweenAnswerAndUnmaskingMakeTheServerAskAgain) {
  const Play play = patient_play();
  const Duration after_answer = answers_at(play, 3, 0).time_since_epoch() + 1us;
  SimEngine engine = with_crash(3, after_answer);
  for (const LostPeers policy : {LostPeers::fail, LostPeers::proceed}) {  // a silent device is no lost one
    const Played played = testing::play(engine, play, {.lost_peers = policy});
    expect_true_totals(played, play);
    EXPECT_EQ(played.report.crashed, Nodes{3});
    EXPECT_EQ(played.totals[0].attempts, 2);
    EXPECT_EQ(played.totals[0].silent, Nodes{3});
    EXPECT_EQ(played.totals[0].answered.size(), 7u);
    EXPECT_EQ(played.totals[1].attempts, 1);
    EXPECT_EQ(played.totals[1].silent, Nodes{3});
  }
}

TEST(Crashes, WithoutPatienceAreLossesAtTheDeadline) {
  const Play play;
  const Duration after_answer = answers_at(play, 3, 0).time_since_epoch() + 1us;
  SimEngine engine = with_crash(3, after_answer);
  expect_error(ErrorCategory::PeerLost, {"for node 3, which did not answer the server"},
               [&] { testing::play(engine, play); });
  const Played played = testing::play(engine, play, {.deadline = 5s, .lost_peers = LostPeers::proceed});
  expect_true_totals(played, play);
  EXPECT_EQ(played.totals[0].attempts, 2);
  EXPECT_EQ(played.totals[1].silent, Nodes{3});
}

// Wherever they fall: in opening, in either phase, between questions.
TEST(Crashes, AtAnyTimeLeaveTrueTotals) {
  int attempts = 0;
  int without_both = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Rng rng(seed, Purpose("crash-times"));
    const auto instant = [&] { return Duration(static_cast<std::int64_t>(rng.uniform(0, 3e7))); };
    SimOptions options;
    options.latency = parse_latency("1ms..3ms");
    options.crashes = {{.node = 2, .at = instant()}, {.node = 5, .at = instant()}};
    SimEngine engine(options);
    Play play = patient_play();
    if (seed % 2 == 1) play.shape.bound.reset();
    const Played played = testing::play(engine, play, {.seed = seed, .lost_peers = LostPeers::proceed});
    expect_true_totals(played, play);
    for (const Total& total : played.totals) {
      attempts += static_cast<int>(total.attempts);
      EXPECT_GE(total.answered.size(), 6u);
      without_both += total.answered.size() == 6;
    }
  }
  EXPECT_GT(attempts, 2 * 60);  // some fell between the phases
  EXPECT_GT(without_both, 0);
}

TEST(EndedDevices, AreGoneForGoodOrEndTheRun) {
  Play play = patient_play();
  play.act = [](NodeId device, int) { return device == 3 ? Act::end : Act::answer; };
  SimEngine sim;
  LocalEngine threads({.threads = 2});
  for (Engine* engine : {static_cast<Engine*>(&sim), static_cast<Engine*>(&threads)}) {
    const Played played = testing::play(*engine, play, {.lost_peers = LostPeers::proceed});
    expect_true_totals(played, play);
    EXPECT_EQ(played.totals[0].attempts, 2);
    EXPECT_EQ(played.totals[0].silent, Nodes{3});
    EXPECT_EQ(played.totals[1].answered.size(), 7u);
    EXPECT_TRUE(played.totals[1].silent.empty());  // not asked
    ASSERT_EQ(played.report.losses.size(), 1u);
    EXPECT_EQ(played.report.losses[0].peer, 3);
    expect_error(ErrorCategory::PeerLost, {"for node 3, which has ended before the server closed"},
                 [&] { testing::play(*engine, play); });
  }
}

TEST(Partitions, SilenceDevicesUntilTheyHeal) {
  Play play = patient_play();
  play.questions = 6;
  const Duration begin = answers_at(play, 3, 0).time_since_epoch() - 1us;
  SimOptions options;
  options.partitions = {{.first = 3, .last = 5, .from = begin, .to = begin + 250ms}};
  SimEngine engine(options);
  const Played played = testing::play(engine, play);
  expect_true_totals(played, play);
  EXPECT_EQ(played.totals.front().silent, (Nodes{3, 4, 5}));
  EXPECT_EQ(played.totals.back().answered, range(1, 8));
}

TEST(Newcomers, AreTakenInWithTheNextQuestion) {
  for (const bool masked : {true, false}) {
    Play play = patient_play(masked);
    play.questions = 8;
    play.act = [](NodeId device, int question) {
      return device == 5 + question % 2 ? Act::keep_silent : Act::answer;
    };  // time passes
    SimOptions options;
    options.joins = {{.node = 3, .at = 450ms}};
    SimEngine engine(options);
    const Played played = testing::play(engine, play);
    expect_true_totals(played, play);
    EXPECT_EQ(played.samples, testing::samples_of({1, 2, 4, 5, 6, 7, 8}));
    EXPECT_EQ(played.totals.front().answered, (Nodes{1, 2, 4, 6, 7, 8}));
    EXPECT_EQ(played.totals.front().silent, Nodes{5});
    EXPECT_EQ(played.totals.back().answered, (Nodes{1, 2, 3, 4, 5, 7, 8}));
  }
}

// Statement i comes before question i, and a device that has not heard all of them once, and in order, has no
// answer. Nodes 5 and 8 are silent in turn, so that every question takes its 100 ms.
Task<std::vector<std::int64_t>> with_statements(Node& node, FederationOptions options, int questions) {
  std::vector<std::int64_t> heard;
  if (node.id() == options.server) {
    FederationServer server(node, options);
    co_await server.open();
    for (int i = 0; i < questions; ++i) {
      Message statement(Kind::coefficients);
      server.tell(statement.integer(i).array(Array(Matrix(Matrix::Identity(2, 2)))));
      Message question(Kind::control);
      question.integer(-1 - i);
      const AnswerShape shape{.rows = 1, .cols = 1, .bound = 1};
      const Total total = co_await server.ask(question, shape);
      EXPECT_EQ(total.sum(0, 0), static_cast<double>(total.answered.size()));
      heard.push_back(std::ssize(total.answered));
    }
    server.close();
    co_return heard;
  }
  FederationDevice device(node, options, testing::samples_of(node.id()));
  co_await device.open();
  while (true) {
    const std::optional<Message> message = co_await device.next();
    if (!message) co_return heard;
    if (message->integer(0) >= 0) {
      heard.push_back(message->integer(0));
    } else if (node.id() == (message->integer(0) % 2 == 0 ? 8 : 5)) {
      device.keep_silent();
    } else {
      EXPECT_EQ(std::ssize(heard), -message->integer(0)) << "node " << node.id();
      device.answer(Matrix::Ones(1, 1));
    }
  }
}

TEST(Newcomers, HearEverythingThatWasToldOnceAndInOrder) {
  constexpr int questions = 12;
  const std::vector<std::int64_t> all = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  for (const bool masked : {true, false}) {
    const FederationOptions options{.masked = masked, .patience = 100ms};
    SimOptions faults;
    // The last one comes when the server has closed. Node 3 is not counted at first: node 6, which was, is
    // cut off.
    faults.joins = {{.node = 2, .at = 108ms}, {.node = 3, .at = 450ms}, {.node = 7, .at = 10s}};
    faults.partitions = {{.first = 6, .last = 6, .from = 400ms, .to = 800ms}};
    SimEngine engine(faults);
    const auto outcome = run_nodes<std::vector<std::int64_t>>(
        engine, make_topology("star", 9, 0), testing::federation_contract, {},
        [&](Node& node) { return with_statements(node, options, questions); });
    for (std::size_t device = 1; device <= 8; ++device) EXPECT_EQ(outcome.results[device], all) << device;
    const std::vector<std::int64_t> answered = *outcome.results[0];
    EXPECT_EQ(answered.front(), 4);  // without 2, 3, 5, 7
    EXPECT_EQ(answered.back(), 6);   // without 5, 7
  }
}

TEST(Devices, AreToldIfTheServerEndsWithoutClosing) {
  const auto program = [](Node& node) -> Task<void> {
    const FederationOptions options;
    if (node.id() == 0) {
      FederationServer server(node, options);
      co_await server.open();
      co_return;
    }
    FederationDevice device(node, options, 1);
    co_await device.open();
    co_await device.next();
  };
  SimEngine engine;
  expect_error(ErrorCategory::PeerLost, {"the server, node 0, which ended without closing"},
               [&] { engine.run(make_topology("star", 4, 0), testing::federation_contract, program, {}); });
}

}  // namespace
}  // namespace choir
