// The leading features in short blocks: the rules alone, and whole runs over streams that change all the
// time.
#include "choir/learn/online_kernel/quick.h"

#include <cmath>
#include <numbers>

#include "learn/online_kernel/toy.h"
#include <gtest/gtest.h>

#include "choir/base/rng.h"
#include "choir/learn/online_kernel/openings.h"
#include "choir/learn/online_kernel/ridge_family.h"

namespace choir::online_kernel {
namespace {

constexpr Index all_of_them = 128, leading_ones = 16;

FeatureState state_with_quick_set(Index outputs) {
  FeatureState features;
  features.closed = FeatureSums::none(all_of_them, outputs);
  features.random = RandomFeaturesOptions{.count = all_of_them};
  features.weights = Matrix::Random(all_of_them + 1, outputs);
  features.quick.emplace();
  features.quick->closed = FeatureSums::none(leading_ones, outputs);
  features.quick->weights = Matrix::Random(leading_ones + 1, outputs);
  features.quick->used = leading_ones;
  return features;
}

TEST(Quick, AnEighthOfTheFeaturesLeads) {
  EXPECT_EQ(quick_size(500), 62) << "cosines with their sines";
  EXPECT_EQ(quick_size(128), 16);
  EXPECT_EQ(quick_size(127), 0) << "too few to learn from";
}

TEST(Quick, ItsAnswerInAllFeaturesIsTheSame) {
  FeatureState features = state_with_quick_set(2);
  const Matrix psi = Matrix::Random(all_of_them, 5);
  EXPECT_EQ(answer_of(features), features.weights);
  features.quick->leads = true;
  const std::vector<Index> places = quick_places(features);
  EXPECT_EQ(places.back(), all_of_them / 2 + leading_ones / 2 - 1) << "a sine";
  const Matrix expected = scores_of(features.quick->weights, psi(places, Eigen::all));
  EXPECT_LE((scores_of(answer_of(features), psi) - expected).norm(), 1e-13 * expected.norm());
  EXPECT_EQ(&answering(features), &*features.quick);
}

TEST(Quick, BothAnswersAreAskedAboutTheSameSamples) {
  FeatureState features = state_with_quick_set(1);
  const Matrix psi = Matrix::Random(all_of_them, 3), targets = Matrix::Random(3, 1);
  const Eigen::Vector3d weights(1, 2, 0.5);
  ask_both(psi, targets, weights, features);
  double usual = 0;
  for (Index n = 0; n < 3; ++n) {
    const double score =
        features.weights.topRows(all_of_them).col(0).dot(psi.col(n)) + features.weights(all_of_them, 0);
    usual += weights(n) * std::pow(targets(n, 0) - score, 2);
  }
  EXPECT_NEAR(features.quick->asked.usual_loss, usual, 1e-12 * usual);
  EXPECT_EQ(features.quick->asked.weight, 3.5);
  EXPECT_NE(features.quick->asked.quick_loss, features.quick->asked.usual_loss);
}

TEST(Quick, LeadsOnlyWhileItIsClearlyBetter) {
  QuickSet quick;
  compare_with_quick({.weight = 10, .quick_loss = 4, .usual_loss = 5}, true, 1, quick);
  EXPECT_TRUE(quick.leads);
  compare_with_quick({.weight = 10, .quick_loss = 6, .usual_loss = 5}, true, 1, quick);
  EXPECT_FALSE(quick.leads) << "10 against 10";
  compare_with_quick({.weight = 90, .quick_loss = 1, .usual_loss = 50}, false, 1, quick);
  EXPECT_FALSE(quick.leads) << "what says nothing does not count";
  compare_with_quick({.weight = 10, .quick_loss = 4, .usual_loss = 5}, true, 0, quick);
  EXPECT_TRUE(quick.leads) << "all before is forgotten";
}

TEST(Quick, BlocksGrowUntilTheyAreAsLongAsThoseOfAllFeatures) {
  FeatureState features = state_with_quick_set(1);
  EXPECT_EQ(quick_quota(features), block_quota(leading_ones, 0));
  features.quick->total = 1600;
  EXPECT_EQ(quick_quota(features), 200);
  features.quick->total = 1e9;
  EXPECT_EQ(quick_quota(features), block_quota(all_of_them, 0));
}

// y = sin(x1 + phase) + noise, and the phase goes through `turns` circles.
TargetedSamples turning_waves(Index count, double turns, std::uint64_t seed) {
  Rng random(seed, Purpose("test-turning-waves"));
  TargetedSamples data{.samples = Samples(2, count), .targets = Vector(count)};
  for (Index n = 0; n < count; ++n) {
    const double phase = 2 * std::numbers::pi * turns * static_cast<double>(n) / static_cast<double>(count);
    data.samples.col(n) << random.uniform(-2, 2), random.uniform(-2, 2);
    data.targets(n) = std::sin(data.samples(0, n) + phase) + 0.1 * random.normal();
  }
  return data;
}

Options turning_options(Representation kind) {
  Options options = wave_options(Consensus::diffusion);
  options.kernel.gamma = kind == Representation::landmarks ? 1 : 0.3;  // close landmarks are no features
  options.representation = kind;
  options.n_features = all_of_them;
  options.n_landmarks = 2 * all_of_them;
  return options;
}

std::vector<TargetedSamples> two_turning(Index count, double turns) {
  return {turning_waves(count, turns, 1), turning_waves(count, turns, 2)};
}

// A full circle at the end: the waves are as those of no turn.
double error_at_the_end(const Fit& fit, NodeId node) {
  TargetedSamples test = turning_waves(500, 0, 9);
  return rmse_of(fit.at(node), test);
}

TEST(Quick, AStreamThatTurnsAllTheTimeIsFollowed) {
  for (const Representation kind : {Representation::landmarks, Representation::random_features}) {
    const auto data = two_turning(4000, 1);
    const Fit fit = simulate(data, turning_options(kind), "line");
    const FeatureState& features = *fit.at(1).state.features;
    ASSERT_TRUE(features.quick);
    EXPECT_TRUE(features.quick->leads);
    EXPECT_GT(features.quick->half_life, 0);
    EXPECT_LT(error_at_the_end(fit, 1), 0.25) << "noise alone is .1";
    FeatureState usual = features;
    usual.quick->leads = false;
    NodeResult without = fit.at(1);
    without.state.features = usual;
    EXPECT_GT(rmse_of(without, turning_waves(500, 0, 9)), 1.2 * error_at_the_end(fit, 1));
    EXPECT_EQ(answer_of(features), answer_of(*fit.at(0).state.features));
  }
}

TEST(Quick, AStreamThatStaysIsLeftToAllFeatures) {
  const Fit fit = simulate(two_turning(4000, 0), turning_options(Representation::landmarks), "line");
  ASSERT_TRUE(fit.at(0).state.features->quick);
  EXPECT_FALSE(fit.at(0).state.features->quick->leads);
  EXPECT_LT(error_at_the_end(fit, 0), 0.12);
}

TEST(Quick, AGivenHalfLifeIsTheOnlyOne) {
  Options options = turning_options(Representation::landmarks);
  options.half_life = 2000;
  const Fit fit = simulate(two_turning(1500, 1), options, "line");
  EXPECT_FALSE(fit.at(0).state.features->quick);
}

// Every total has 4 new samples for each of its features; where the leading features learn from the samples,
// too, one of all features has 4 for each of both.
TEST(Quick, TotalsHaveNewSamplesForBoth) {
  FeatureState before;
  Index quick_totals = 0, totals = 0;
  Hooks hooks;
  hooks.after_round = [&](const Round& round, const State& state) {
    if (round.node != 0) return;
    const FeatureState& now = *state.features;
    const bool learned = before.quick && before.totals > 0;
    if (learned && now.quick->memories.sums[0].samples > before.quick->memories.sums[0].samples) {
      EXPECT_GE(before.quick->unopened, 4 * leading_ones);
      quick_totals += 1;
    }
    if (learned && now.memories.sums[0].samples > before.memories.sums[0].samples) {
      EXPECT_GE(before.unopened, 4 * (now.size() + leading_ones));
      totals += 1;
    }
    before = now;
  };
  const Fit fit =
      simulate(two_turning(2500, 1), turning_options(Representation::random_features), "line", hooks);
  EXPECT_GT(totals, 2);
  EXPECT_GT(quick_totals, 3 * totals);
  EXPECT_EQ(fit.at(0).state.features->totals, 1 + totals + quick_totals) << "1: before the quick set learned";
}

// The second class comes to one node alone, whose stream is short. Whoever has forgotten it errs less on what
// comes later.
TEST(Quick, AClassWhoseStreamHasEndedIsNotForgotten) {
  Rng random(1, Purpose("test-early-class"));
  const auto drawn = [&](Index count, double centre, double label) {
    TargetedSamples data{.samples = Samples(2, count), .targets = Vector::Constant(count, label)};
    for (double& number : data.samples.reshaped()) number = centre + random.normal();
    return data;
  };
  Options options = mixture_options(Consensus::diffusion);
  options.classes = {0, 1};
  options.representation = Representation::landmarks;
  options.n_landmarks = 2 * all_of_them;
  options.class_weights = ClassWeights::balanced;
  const Fit fit = simulate({drawn(4000, 0, 0), drawn(60, 2, 1), drawn(4000, 0, 0)}, options, "line");
  EXPECT_EQ(fit.at(0).state.features->half_life, 0);
  ASSERT_TRUE(fit.at(0).state.features->quick);
  EXPECT_FALSE(fit.at(0).state.features->quick->leads);
  EXPECT_GT(accuracy_of(fit.at(0), drawn(1000, 2, 1)), 0.7) << "at best .92";
}

}  // namespace
}  // namespace choir::online_kernel
