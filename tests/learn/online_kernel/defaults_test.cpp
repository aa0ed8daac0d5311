// What a user gets who tunes nothing: automatic steps, epsilon, scales and class weights.
#include <cmath>

#include "learn/online_kernel/toy.h"
#include <gtest/gtest.h>

#include "choir/base/rng.h"

namespace choir::online_kernel {
namespace {

Options untuned(const Options& from) {
  Options options;
  options.loss = from.loss;
  options.consensus = from.consensus;
  options.classes = from.classes;
  options.preprocessing.standardize = Standardize::zscore;
  return options;
}

// What nodes keep by default, and the dictionary.
std::vector<Options> both_kept(Options options) {
  std::vector<Options> both = {options, options};
  both.back().representation = Representation::dictionary;
  return both;
}

std::vector<TargetedSamples> dealt(const TargetedSamples& data, Index nodes) {
  std::vector<TargetedSamples> parts;
  for (Index node = 0; node < nodes; ++node) {
    std::vector<Index> own;
    for (Index n = node; n < data.samples.cols(); n += nodes) own.push_back(n);
    parts.push_back(testing::chosen_of(data, own));
  }
  return parts;
}

// 3% of the samples are of class 1, in the middle of class 0.
TargetedSamples rare_class(Index count, std::uint64_t seed) {
  Rng rng(seed, Purpose("test-rare"));
  TargetedSamples data{.samples = Samples(2, count), .targets = Vector::Zero(count)};
  for (Index n = 0; n < count; ++n) {
    const bool rare = rng.below(100) < 3;
    const double spread = rare ? 0.3 : 2;
    data.samples.col(n) << spread * rng.normal(), spread * rng.normal();
    data.targets(n) = rare ? 1 : 0;
  }
  return data;
}

double recall_of(const NodeResult& node, const TargetedSamples& test, double label) {
  const Vector answers = machine_of(node).predict(test.samples);
  const auto of_label = (test.targets.array() == label).eval();
  return static_cast<double>((of_label && answers.array() == label).count()) /
         static_cast<double>(of_label.count());
}

// 75 samples a node, and rounds without any in which 20 nodes agree to stop: 0.1.0 ended with nothing.
TEST(OnlineKernelDefaults, ShortStreamsOfManyNodesEndWithAModel) {
  const Mixtures mixture(1);
  const TargetedSamples test = mixture.draw(1000, 7);
  Options options = untuned(mixture_options(Consensus::diffusion));
  options.gamma = mixture_options(Consensus::diffusion).gamma;
  options.preprocessing = {};
  options.representation = Representation::dictionary;
  std::uint64_t learning_rounds = 0;
  Hooks hooks;
  hooks.after_round = [&](const Round& round, const State&) {
    if (round.node == 0 && round.batch > 0) learning_rounds = round.round;
  };
  const Fit fit = simulate(dealt(mixture.draw(1500, 1), 20), options, "ring:4", hooks);
  EXPECT_GT(fit.at(0).state.round, 3 * learning_rounds);
  EXPECT_GT(worst_node(fit, [&](const NodeResult& node) { return accuracy_of(node, test); }),
            0.85 * mixture.bayes_accuracy(test));
}

TEST(OnlineKernelDefaults, ARareClassIsLearnedWhateverTheNumberOfNodes) {
  const TargetedSamples test = rare_class(4000, 9);
  Options options = untuned(mixture_options(Consensus::diffusion));
  options.classes = {0, 1};
  for (const Options& each : both_kept(options)) {
    for (const Index nodes : {1, 5, 20}) {
      const Fit fit = simulate(dealt(rare_class(4000, 1), nodes), each, nodes < 5 ? "complete" : "ring:4");
      EXPECT_GT(worst_node(fit, [&](const NodeResult& node) { return recall_of(node, test, 1); }), 0.5)
          << nodes;
      EXPECT_GT(worst_node(fit, [&](const NodeResult& node) { return recall_of(node, test, 0); }), 0.7)
          << nodes;
    }
  }
}

// The first node has 50 samples of class 1 and nothing else, the others have class 0.
std::vector<TargetedSamples> by_label(const TargetedSamples& data, Index nodes) {
  std::vector<std::vector<Index>> own(static_cast<std::size_t>(nodes));
  for (Index n = 0; n < data.samples.cols(); ++n) {
    const bool rare = data.targets(n) == 1;
    if (rare && std::ssize(own[0]) == 50) continue;
    own[rare ? 0 : static_cast<std::size_t>(1 + n % (nodes - 1))].push_back(n);
  }
  std::vector<TargetedSamples> parts;
  for (const auto& which : own) parts.push_back(testing::chosen_of(data, which));
  return parts;
}

TargetedSamples rare_class_apart(Index count, std::uint64_t seed) {
  TargetedSamples data = rare_class(count, seed);
  for (Index n = 0; n < count; ++n) data.samples.col(n).array() += 5 * data.targets(n);
  return data;
}

// Its node's stream ends in the second round, those of the others go on for 30: the node has to know from the
// start that its class is a rare one.
TEST(OnlineKernelDefaults, ARareClassOfOneNodeAloneIsNotForgotten) {
  const TargetedSamples test = rare_class_apart(4000, 9);
  Options options = untuned(mixture_options(Consensus::diffusion));
  options.classes = {0, 1};
  for (const Options& each : both_kept(options)) {
    const Fit fit = simulate(by_label(rare_class_apart(4000, 1), 5), each, "complete");
    EXPECT_GT(worst_node(fit, [&](const NodeResult& node) { return recall_of(node, test, 1); }), 0.9);
    EXPECT_GT(worst_node(fit, [&](const NodeResult& node) { return recall_of(node, test, 0); }), 0.9);
  }
}

void expect_errors_in_any_unit(const Options& options) {
  const TargetedSamples test = waves(1000, -2, 2, 0, 99);
  const auto relative_error = [&](double factor, double shift) {
    std::vector<TargetedSamples> data = dealt(waves(3000, -2, 2, 0.05, 1), 3);
    for (TargetedSamples& each : data) each.targets = (factor * each.targets).array() + shift;
    const Fit fit = simulate(data, options, "complete");
    TargetedSamples moved = test;
    moved.targets = (factor * test.targets).array() + shift;
    return mean_over_nodes(fit, [&](const NodeResult& node) { return rmse_of(node, moved); }) / factor;
  };
  const double plain = relative_error(1, 0);
  EXPECT_LT(plain, 0.2);
  EXPECT_NEAR(relative_error(0.01, 0) / plain, 1, 0.02);
  EXPECT_NEAR(relative_error(1000, 0) / plain, 1, 0.02);
  EXPECT_NEAR(relative_error(1, 100) / plain, 1, 0.02);
}

TEST(OnlineKernelDefaults, ErrorsOfValuesAreTheSameInAnyUnit) {
  for (const Options& each : both_kept(untuned(wave_options(Consensus::diffusion))))
    expect_errors_in_any_unit(each);
}

void expect_unspoilt(const Options& options) {
  const Mixtures mixture(1);
  const TargetedSamples test = mixture.draw(2000, 7);
  for (const Index nodes : {1, 4}) {
    const auto accuracy_after = [&](auto spoil) {
      std::vector<TargetedSamples> data = dealt(mixture.draw(3000, 1), nodes);
      spoil(data[0].samples);
      const Fit fit = simulate(data, options, "complete");
      return worst_node(fit, [&](const NodeResult& node) { return accuracy_of(node, test); });
    };
    const double clean = accuracy_after([](Samples&) {});
    EXPECT_GT(clean, 0.9 * mixture.bayes_accuracy(test));
    EXPECT_GT(accuracy_after([](Samples& x) { x.col(3).setConstant(1e4); }), clean - 0.02) << nodes;
    EXPECT_GT(accuracy_after([](Samples& x) { x.leftCols(32) /= 100; }), clean - 0.02) << nodes;
  }
}

TEST(OnlineKernelDefaults, NeitherAnOutlierNorAnUnlikeFirstBatchSpoilsTheStart) {
  for (const Options& each : both_kept(untuned(mixture_options(Consensus::diffusion)))) expect_unspoilt(each);
}

// The labels change places in the middle.
TEST(OnlineKernelDefaults, AConstantScheduleFollowsDrift) {
  const Mixtures mixture(1);
  std::vector<TargetedSamples> data = dealt(mixture.draw(12000, 1), 3);
  const auto rotate = [](double label) { return std::fmod(label + 1, 5); };
  for (TargetedSamples& each : data) each.targets.tail(2000) = each.targets.tail(2000).unaryExpr(rotate);
  TargetedSamples test = mixture.draw(2000, 7);
  const double bayes = mixture.bayes_accuracy(test);
  test.targets = test.targets.unaryExpr(rotate).eval();
  Options options = untuned(mixture_options(Consensus::diffusion));
  options.schedule = Schedule::constant;
  const Fit fit = simulate(data, options, "complete");
  EXPECT_GT(worst_node(fit, [&](const NodeResult& node) { return accuracy_of(node, test); }), 0.9 * bayes);
}

TEST(OnlineKernelDefaults, HingeAndHuberNeedNoTuningEither) {
  const Mixtures mixture(1);
  const TargetedSamples test = mixture.draw(1000, 7);
  Options hinge = untuned(mixture_options(Consensus::diffusion));
  hinge.loss = Loss::hinge;
  const Fit classes = simulate(dealt(mixture.draw(2000, 1), 4), hinge, "complete");
  EXPECT_GT(worst_node(classes, [&](const NodeResult& node) { return accuracy_of(node, test); }),
            0.9 * mixture.bayes_accuracy(test));
  Options huber = untuned(wave_options(Consensus::none));
  huber.loss = Loss::huber;
  const Fit values = simulate({waves(3000, -2, 2, 0.05, 1)}, huber, "complete");
  EXPECT_LT(rmse_of(values.at(0), waves(1000, -2, 2, 0, 99)), 0.15);
}

}  // namespace
}  // namespace choir::online_kernel
