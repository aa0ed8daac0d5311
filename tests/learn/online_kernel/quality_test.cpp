// The bars of the method in a reduced form; README.md has those of the full one.
#include "learn/online_kernel/toy.h"
#include <gtest/gtest.h>

namespace choir::online_kernel {
namespace {

TEST(OnlineKernelQuality, NearlyBayesWithAFewAtomsOnThePapersData) {
  const Mixtures mixture(1);
  const TargetedSamples test = mixture.draw(2000, 7);
  const double bayes = mixture.bayes_accuracy(test);
  const Fit fit =
      simulate(permuted(mixture.draw(2500, 1), 8, 2), mixture_options(Consensus::diffusion), "ring:2");
  const auto ratio = [&](const NodeResult& node) { return accuracy_of(node, test) / bayes; };
  EXPECT_GE(mean_over_nodes(fit, ratio), 0.97);
  EXPECT_GE(worst_node(fit, ratio), 0.93);
  const double order =
      mean_over_nodes(fit, [](const NodeResult& node) { return static_cast<double>(node.state.f.size()); });
  EXPECT_GE(order, 10);
  EXPECT_LE(order, 24);
}

TEST(OnlineKernelQuality, DiffusionLearnsClassesThatANodeNeverSees) {
  const Mixtures mixture(1);
  const TargetedSamples test = mixture.draw(2000, 7);
  const double bayes = mixture.bayes_accuracy(test);
  const std::vector<TargetedSamples> data = skewed(mixture.draw(3000, 1), 5, 2500, 3);
  const auto ratio = [&](const NodeResult& node) { return accuracy_of(node, test) / bayes; };
  const auto mean_of = [&](Consensus consensus) {
    return mean_over_nodes(simulate(data, mixture_options(consensus), "ring:2"), ratio);
  };
  const double diffusion = mean_of(Consensus::diffusion);
  const double symmetric = mean_of(Consensus::symmetric);
  const double penalty = mean_of(Consensus::penalty);
  EXPECT_GE(diffusion, 0.95);
  EXPECT_GE(symmetric, 0.7);
  EXPECT_LE(penalty, 0.6) << "eq. 7 never corrects a node outside its own support";
  EXPECT_LE(mean_of(Consensus::none), 0.6);
}

TEST(OnlineKernelQuality, DiffusionLearnsTheWavesOfOtherStrips) {
  const TargetedSamples test = waves(1000, -2, 2, 0, 99);
  const std::vector<TargetedSamples> data = strips(8, 5000, 1);
  const auto error = [&](const NodeResult& node) { return rmse_of(node, test); };
  const double together =
      mean_over_nodes(simulate(data, wave_options(Consensus::diffusion), "ring:4"), error);
  const double alone = mean_over_nodes(simulate(data, wave_options(Consensus::none), "ring:4"), error);
  EXPECT_LE(together, 0.25 * alone) << together << " " << alone;
}

TEST(OnlineKernelQuality, TheCapKeepsPenaltiesFromDiverging) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const Mixtures mixture(seed);
    const std::vector<TargetedSamples> data = permuted(mixture.draw(3000, seed), 6, seed);
    const TargetedSamples test = mixture.draw(1000, 7);
    for (const Consensus consensus : {Consensus::penalty, Consensus::symmetric}) {
      const Fit fit = simulate(data, mixture_options(consensus), "star");
      const auto largest = [&](const NodeResult& node) {
        return -testing::scores_of(node, test.samples).cwiseAbs().maxCoeff();
      };
      EXPECT_GT(worst_node(fit, largest), -50);
      const auto ratio = [&](const NodeResult& node) {
        return accuracy_of(node, test) / mixture.bayes_accuracy(test);
      };
      EXPECT_GT(worst_node(fit, ratio), 0.85);
    }
  }
}

TEST(OnlineKernelQuality, HingeAndHuberLearnTheSameThings) {
  const Mixtures mixture(1);
  const TargetedSamples test = mixture.draw(2000, 7);
  Options hinge = mixture_options(Consensus::diffusion);
  hinge.loss = Loss::hinge;
  const Fit classes = simulate(permuted(mixture.draw(2500, 1), 5, 2), hinge, "ring:2");
  EXPECT_GE(worst_node(classes, [&](const NodeResult& node) { return accuracy_of(node, test); }),
            0.9 * mixture.bayes_accuracy(test));
  Options huber = wave_options(Consensus::diffusion);
  huber.loss = Loss::huber;
  const Fit values = simulate(strips(4, 3200, 1), huber, "complete");
  const TargetedSamples probes = waves(1000, -2, 2, 0, 99);
  EXPECT_GT(worst_node(values, [&](const NodeResult& node) { return -rmse_of(node, probes); }), -0.15);
}

// The labels change places in the middle of the stream.
TEST(OnlineKernelQuality, FollowsADrift) {
  const Mixtures mixture(1);
  std::vector<TargetedSamples> data = permuted(mixture.draw(5000, 1), 5, 2);
  const auto rotate = [](double label) { return static_cast<double>((static_cast<Index>(label) + 1) % 5); };
  for (TargetedSamples& each : data) each.targets.tail(2500) = each.targets.tail(2500).unaryExpr(rotate);
  const Fit fit = simulate(data, mixture_options(Consensus::diffusion), "ring:2");
  TargetedSamples test = mixture.draw(2000, 7);
  const double bayes = mixture.bayes_accuracy(test);
  test.targets = test.targets.unaryExpr(rotate).eval();
  EXPECT_GE(worst_node(fit, [&](const NodeResult& node) { return accuracy_of(node, test); }), 0.9 * bayes);
}

}  // namespace
}  // namespace choir::online_kernel
