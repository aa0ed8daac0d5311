// Thirty devices, some of which are lost while a total is made: there is one total, that of the devices which
// signed, or none.
#include <map>
#include <set>

#include "graph/expect_error.h"
#include "learn/federation/toy.h"
#include <gtest/gtest.h>

#include "choir/base/rng.h"
#include "choir/learn/federation/envelope.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir {
namespace {

using namespace std::chrono_literals;

constexpr Index thirty = 30;

Play one_question() {
  Play play;
  play.devices = thirty;
  play.questions = 1;
  play.options.patience = 100ms;
  return play;
}

// Which attempts at the question had an own seed or a share revealed; the count before it is number 1.
struct Unmasked {
  std::set<std::uint64_t> attempts;
  bool by_shares = false;

  RunOptions watching() {
    RunOptions run{.lost_peers = LostPeers::proceed};
    run.audit = [this](NodeId from, NodeId, const Message& message) {
      if (from == 0) return;
      const Letter letter = opened(message);
      const Note note = letter.envelope.note;
      if (letter.number > 1 && (note == Note::own_seed || note == Note::shares))
        attempts.insert(letter.number);
      by_shares = by_shares || note == Note::shares;
    };
    return run;
  }
};

// From the question on until its total is there.
SimOptions crashes_amid_the_question(std::uint64_t seed, const Nodes& devices) {
  Rng rng(seed, Purpose("crash-times"));
  SimOptions options;
  options.latency = parse_latency("1ms..3ms");
  for (const NodeId device : devices)
    options.crashes.push_back(
        {.node = device, .at = Duration(static_cast<std::int64_t>(rng.uniform(1.6e7, 2.9e7)))});
  return options;
}

TEST(Recovery, NineOfThirtyMayBeLostAtAnyTime) {
  int with_shares = 0;
  int left_out = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Rng rng(seed, Purpose("who is lost"));
    Nodes lost;
    for (const Index place : rng.choose(thirty, 9)) lost.push_back(static_cast<NodeId>(place + 1));
    SimEngine engine(crashes_amid_the_question(seed, lost));
    Unmasked unmasked;
    const Play play = one_question();
    const Played played = testing::play(engine, play, unmasked.watching());
    expect_true_totals(played, play);
    EXPECT_EQ(unmasked.attempts.size(), 1u) << seed;
    EXPECT_GE(played.totals[0].answered.size(), 21u);
    with_shares += unmasked.by_shares;
    left_out += played.totals[0].answered.size() < thirty;
  }
  EXPECT_GT(with_shares, 10) << "some were lost when others had revealed their seeds";
  EXPECT_GT(left_out, 10);
}

TEST(Recovery, AnyNumberMayBeLostAndThereIsOneTotalOrNone) {
  int ended = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Rng rng(seed, Purpose("who is lost"));
    Nodes lost;
    for (NodeId device = 1; device <= thirty; ++device)
      if (rng.uniform() < 0.3) lost.push_back(device);
    SimEngine engine(crashes_amid_the_question(seed, lost));
    Unmasked unmasked;
    const Play play = one_question();
    try {
      const Played played = testing::play(engine, play, unmasked.watching());
      expect_true_totals(played, play);
    } catch (const Error& error) {
      EXPECT_EQ(error.category(), ErrorCategory::PeerLost) << error.what();
      ++ended;
    }
    EXPECT_LE(unmasked.attempts.size(), 1u) << seed;
  }
  EXPECT_GT(ended, 0);
  EXPECT_LT(ended, 50);
}

// Twelve are silent from the beginning: 18 answers, and 19 must sign.
TEST(Recovery, FewerThanTheQuorumAreNotUnmasked) {
  Play play = one_question();
  play.act = [](NodeId device, int) { return device <= 12 ? Act::keep_silent : Act::answer; };
  SimEngine engine;
  Unmasked unmasked;
  expect_error(ErrorCategory::PeerLost, {"18 of 30 devices answered, and 19 must agree"},
               [&] { testing::play(engine, play, unmasked.watching()); });
  EXPECT_TRUE(unmasked.attempts.empty());
}

}  // namespace
}  // namespace choir
