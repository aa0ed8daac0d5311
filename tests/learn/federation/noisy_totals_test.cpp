// Totals whose devices add noise of their own.
#include <cmath>

#include "graph/expect_error.h"
#include "learn/federation/toy.h"
#include <gtest/gtest.h>

#include "choir/learn/privacy/privacy_plan.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir {
namespace {

using testing::engines;

constexpr Index devices = 10;
constexpr Index assumed_in_league = 2;
const Release release{.what = "test", .sensitivity = 30, .rho = 0.5};  // sigma 30

Play noisy_play(Index rows, Index columns) {
  Play play;
  play.devices = devices;
  play.options.min_devices = devices;
  const PrivacyPlan plan({.epsilon = 1}, devices);
  play.shape = {
      .rows = rows, .cols = columns, .noise = NoisyWords(release, plan.share_of_variance(), rows * columns)};
  return play;
}

Matrix noise_of(const Total& total, int question, const Play& play) {
  return total.sum - testing::sum_of(total.answered, question, play.shape);
}

// Each device adds sigma^2 / (devices - 2): enough without the noise of two in league.
TEST(NoisyTotals, DeviateByWhatTheirDevicesAddTogether) {
  SimEngine engine;
  const Play play = noisy_play(100, 150);
  const Played played = testing::play(engine, play);
  ASSERT_EQ(played.totals.size(), 2u);
  double squares = 0;
  double sum = 0;
  for (int i = 0; i < 2; ++i) {
    const Matrix noise = noise_of(played.totals[static_cast<std::size_t>(i)], i, play);
    squares += noise.squaredNorm();
    sum += noise.sum();
  }
  constexpr double draws = 30'000;
  const double expected = 30. * 30 * devices / (devices - assumed_in_league);
  EXPECT_NEAR(squares / draws, expected, 0.05 * expected);  // six deviations
  EXPECT_NEAR(sum / draws, 0, 6 * std::sqrt(expected / draws));
  EXPECT_EQ(played.totals[0].samples, played.samples);
}

TEST(NoisyTotals, ComeToTheSameOnEveryEngineButForTheNoise) {
  for (const auto& engine : engines()) {
    const Play play = noisy_play(3, 4);
    const Played played = testing::play(*engine, play);
    for (int i = 0; i < 2; ++i)
      EXPECT_LT(noise_of(played.totals[static_cast<std::size_t>(i)], i, play).norm(), 1000) << engine->name();
  }
}

TEST(NoisyTotals, ComeToOneTotalAfterSeveralAttempts) {
  SimEngine engine;
  Play play = noisy_play(3, 4);
  play.options.min_devices = 2;
  play.options.patience = std::chrono::milliseconds(300);
  play.shape.least_samples = 1;  // not known of the others: they are counted, and asked again
  play.questions = 1;
  play.act = [](NodeId device, int) { return device == 4 ? Act::keep_silent : Act::answer; };
  const Played played = testing::play(engine, play);
  EXPECT_GT(played.totals[0].attempts, 1);
  EXPECT_LT(noise_of(played.totals[0], 0, play).norm(), 1000);
}

TEST(NoisyTotals, NeedMasks) {
  SimEngine engine;
  Play play = noisy_play(3, 4);
  play.options.masked = false;
  expect_error(ErrorCategory::InvalidArgument, {"turn masks on"}, [&] { testing::play(engine, play); });
}

TEST(NoisyTotals, AreNotMadeOfFewerDevicesThanTheirNoiseNeeds) {
  SimEngine engine;
  Play play = noisy_play(3, 4);
  play.options.patience = std::chrono::milliseconds(300);
  play.act = [](NodeId device, int) { return device == 4 ? Act::keep_silent : Act::answer; };
  expect_error(ErrorCategory::PeerLost, {"9 of 10 devices answered", "silent: nodes 4"},
               [&] { testing::play(engine, play); });
}

}  // namespace
}  // namespace choir
