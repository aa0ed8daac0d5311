// Totals over fewer samples than the question asks for are not unmasked.
#include <map>

#include "graph/expect_error.h"
#include "learn/federation/toy.h"
#include <gtest/gtest.h>

#include "choir/base/rng.h"
#include "choir/learn/federation/envelope.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir {
namespace {

using namespace std::chrono_literals;

// Eight devices of 8, 11, ..., 29 samples, 148 in all.
Play wary_play(Index least_samples) {
  Play play;
  play.options.patience = 100ms;
  play.shape.least_samples = least_samples;
  play.questions = 3;
  return play;
}

struct Watched {
  Played played;
  std::map<Note, int> sent;  // by the server
};
Watched watched(const Play& play, const SimOptions& faults = {}) {
  Watched watched;
  RunOptions run;
  run.lost_peers = LostPeers::proceed;
  run.audit = [&](NodeId from, NodeId, const Message& message) {
    if (from == 0) ++watched.sent[opened(message).envelope.note];
  };
  SimEngine engine(faults);
  watched.played = testing::play(engine, play, run);
  return watched;
}

std::vector<Index> attempts_of(const Played& played) {
  std::vector<Index> attempts;
  for (const Total& total : played.totals) attempts.push_back(total.attempts);
  return attempts;
}

Act silent_from_6(NodeId device, int) { return device >= 6 ? Act::keep_silent : Act::answer; }

TEST(LeastSamples, AreThoseOfTheOpeningIfAllAnswer) {
  const Watched all = watched(wary_play(148));
  expect_true_totals(all.played, wary_play(148));
  EXPECT_EQ(attempts_of(all.played), (std::vector<Index>{1, 1, 1}));
  EXPECT_EQ(all.sent.at(Note::count), 8);
}

TEST(LeastSamples, AreCountedOnceForDevicesThatStaySilent) {
  Play play = wary_play(70);  // the five that are left have 8 + 11 + 14 + 17 + 20
  play.act = silent_from_6;
  const Watched left = watched(play);
  expect_true_totals(left.played, play);
  EXPECT_EQ(attempts_of(left.played), (std::vector<Index>{2, 1, 1}));
  for (const Total& total : left.played.totals) EXPECT_EQ(total.silent, (Nodes{6, 7, 8}));
  EXPECT_EQ(left.sent.at(Note::count), 8 + 5);
  EXPECT_EQ(left.sent.at(Note::attempt), 5);
  EXPECT_EQ(left.sent.at(Note::unmask), 8 + 5 + 3 * 5);  // no answer that was not followed by a total
}

TEST(LeastSamples, AreKnownOfMoreDevicesThanWereCounted) {
  Play play = wary_play(70);
  play.questions = 4;
  play.act = [](NodeId device, int question) {
    return device >= 6 + question ? Act::keep_silent : Act::answer;
  };
  const Watched more = watched(play);
  expect_true_totals(more.played, play);
  EXPECT_EQ(more.played.totals[1].answered.size(), 6u);
  EXPECT_EQ(more.played.totals[2].answered.size(), 6u) << "two that were silent twice are not asked";
  EXPECT_EQ(more.played.totals[3].answered.size(), 8u);
  EXPECT_EQ(attempts_of(more.played), (std::vector<Index>{2, 1, 1, 1}));
}

TEST(LeastSamples, AreCountedBeforeTheFirstAttemptIfThereIsNoBound) {
  Play play = wary_play(70);
  play.act = silent_from_6;
  play.shape.bound.reset();
  const Watched left = watched(play);
  expect_true_totals(left.played, play);
  EXPECT_EQ(attempts_of(left.played), (std::vector<Index>{1, 1, 1}));
  EXPECT_EQ(left.sent.at(Note::count), 8 + 5);
}

TEST(LeastSamples, ThatAreMissingEndTheRunBeforeAnythingIsUnmasked) {
  for (const bool bounded : {true, false}) {
    Play play = wary_play(71);
    play.act = silent_from_6;
    if (!bounded) play.shape.bound.reset();
    int unmasked = 0;
    RunOptions run;
    run.audit = [&](NodeId from, NodeId, const Message& message) {
      if (from == 0) unmasked += opened(message).envelope.note == Note::unmask;
    };
    SimEngine engine;
    expect_error(ErrorCategory::PeerLost,
                 {"5 of 8 devices are left, with 70 samples", "over fewer than 71", "silent: nodes 6, 7, 8"},
                 [&] { testing::play(engine, play, run); });
    EXPECT_EQ(unmasked, 8 + 5) << "the two counts";
  }
}

TEST(LeastSamples, ArePlainToSeeWithoutMasks) {
  Play play = wary_play(70);
  play.options.masked = false;
  play.act = silent_from_6;
  const Watched left = watched(play);
  expect_true_totals(left.played, play);
  EXPECT_EQ(left.sent.at(Note::count), 8);
  play.shape.least_samples = 71;
  SimEngine engine;
  expect_error(ErrorCategory::PeerLost, {"5 of 8 devices are left, with 70 samples"},
               [&] { testing::play(engine, play); });
}

// Crashes wherever they fall, in counts amid a question, too: totals are true, over enough, or there is none.
TEST(LeastSamples, HoldWhereverDevicesCrash) {
  int ended = 0, recounted = 0;
  for (std::uint64_t seed = 0; seed < 80; ++seed) {
    Rng rng(seed, Purpose("crash-times"));
    const auto instant = [&] { return Duration(static_cast<std::int64_t>(rng.uniform(5e6, 3e8))); };
    SimOptions faults;
    faults.latency = parse_latency("1ms..3ms");
    faults.crashes = {{.node = 2, .at = instant()}, {.node = 5, .at = instant()}};  // 117 samples are left
    if (seed % 4 == 0) faults.crashes.push_back({.node = 7, .at = instant()});      // or 91
    Play play = wary_play(100);
    play.questions = 4;
    if (seed % 2 == 1) play.shape.bound.reset();
    try {
      const Watched left = watched(play, faults);
      expect_true_totals(left.played, play);
      for (const Total& total : left.played.totals) EXPECT_GE(total.samples, 100);
      recounted += left.sent.at(Note::count) > 8;
    } catch (const Error& error) {
      EXPECT_EQ(error.category(), ErrorCategory::PeerLost);
      EXPECT_NE(std::string(error.what()).find("samples, and a total over fewer than 100"), std::string::npos)
          << error.what();
      ++ended;
    }
  }
  EXPECT_GT(recounted, 10);
  EXPECT_GT(ended, 0);
}

}  // namespace
}  // namespace choir
