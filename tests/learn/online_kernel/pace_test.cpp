#include "choir/learn/online_kernel/pace.h"

#include <gtest/gtest.h>

namespace choir::online_kernel {
namespace {

// Learned in units of the targets' deviations, told in their own.
TEST(OnlinePace, PredictionsAreToldInTheUnitsOfTheTargets) {
  State state;
  state.samples = 64;
  state.target = {.centre = 100, .scale = 10};
  Matrix told;
  Hooks hooks;
  hooks.predicted = [&](NodeId node, std::uint64_t before, const Matrix& scores, const Vector& targets) {
    EXPECT_EQ(node, 3);
    EXPECT_EQ(before, 64U);
    EXPECT_EQ(targets, (Vector{{105, 90}}));
    told = scores;
  };
  tell_predictions(hooks, 3, state, Matrix{{0.5}, {-2}}, Vector{{105, 90}});
  EXPECT_EQ(told, (Matrix{{105}, {80}}));
  tell_predictions({}, 3, state, Matrix{{0.5}}, Vector{{105}});  // nobody listens
}

TEST(OnlinePace, ARoundReportsWhatTheStateSays) {
  State state;
  state.round = 7;
  state.samples = 224;
  state.f = empty_expansion(2, 2);
  state.progressive = {.samples = 100,
                       .loss = 50,
                       .mistakes = 20,
                       .squares = 400,
                       .recent = 0.25,
                       .classes = Matrix::Ones(2, 3)};
  Options options;
  options.classes = {0, 1};
  Round round;
  report_state(state, options, round);
  EXPECT_EQ(round.round, 7U);
  EXPECT_EQ(round.samples, 224U);
  EXPECT_EQ(round.model_order, 0);
  EXPECT_EQ(round.judged, 100);
  EXPECT_EQ(round.progressive_loss, 0.5);
  EXPECT_EQ(round.recent_loss, 0.25);
  EXPECT_EQ(round.progressive_quality, 0.8);
  options.loss = Loss::squared;
  state.features.emplace();
  state.features->closed = FeatureSums::none(20, 1);
  report_state(state, options, round);
  EXPECT_EQ(round.progressive_quality, 2);
  EXPECT_EQ(round.model_order, 20);
}

}  // namespace
}  // namespace choir::online_kernel
