#include "choir/experiment/federated_kmeans/trial.h"

#include <algorithm>
#include <cmath>

#include "paths.h"
#include <gtest/gtest.h>

#include "choir/data/shards.h"
#include "choir/experiment/digits.h"

namespace choir {
namespace {

const Dataset& digits() {
  static const Dataset all = read_digits({.quick = true, .data = datasets_folder()}, {});
  return all;
}

TEST(ClusterTrial, HasTheKernelMatrixOfItsImages) {
  const ClusterTrial trial = cluster_trial(digits(), 60, 1);
  const Samples& pixels = trial.images.samples;
  EXPECT_EQ(pixels.maxCoeff(), 1);
  std::vector<double> squared;
  for (Index i = 0; i < 60; ++i) {
    for (Index j = 0; j < i; ++j) squared.push_back((pixels.col(i) - pixels.col(j)).squaredNorm());
  }
  std::ranges::sort(squared);
  const double median = 0.5 * (squared[squared.size() / 2 - 1] + squared[squared.size() / 2]);
  EXPECT_NEAR(trial.kernel.gamma, 4 / (2 * median), 1e-9 * trial.kernel.gamma);
  EXPECT_NEAR(trial.gram(3, 7), std::exp(-trial.kernel.gamma * (pixels.col(3) - pixels.col(7)).squaredNorm()),
              1e-12);
  EXPECT_NE(cluster_trial(digits(), 60, 2).images.labels, trial.images.labels);
}

TEST(ClusterTrial, LabelsComeBackInTheOrderOfTheImages) {
  Dataset images;
  images.samples = Samples::Zero(1, 5);
  images.labels = {3, 1, 3, 0, 1};
  const std::vector<Index> order = by_label(images);
  EXPECT_EQ(take_samples(images, order).labels, (std::vector<std::int64_t>{0, 1, 1, 3, 3}));
  federated_kmeans::Fit fit;
  fit.nodes = {federated_kmeans::NodeResult{.labels = {0, 1}},
               federated_kmeans::NodeResult{.labels = {1, 3, 3}}, federated_kmeans::NodeResult{}};
  EXPECT_EQ(labels_of(fit, order), images.labels);
  EXPECT_EQ(labels_of(fit, as_drawn(images)), (std::vector<std::int64_t>{0, 1, 1, 3, 3}));
}

TEST(DropOut, SilencesTheSameShareInEveryRoundAndEverybodyInTurn) {
  const auto absent = dropped_out(0.3, 10, 0, 5);
  std::vector<Index> rounds_without(10);
  for (Index round = 0; round < 200; ++round) {
    Index silent = 0;
    for (NodeId device = 0; device < 10; ++device) {
      if (!absent(device, round)) continue;
      ++silent;
      ++rounds_without[static_cast<std::size_t>(device)];
    }
    EXPECT_EQ(silent, 3);
  }
  for (const Index rounds : rounds_without) EXPECT_NEAR(static_cast<double>(rounds), 60, 25);
  EXPECT_FALSE(dropped_out(0, 10, 0, 5));
  const auto later = dropped_out(0.3, 10, 100, 5);
  for (NodeId device = 0; device < 10; ++device) {
    EXPECT_FALSE(later(device, 99));
    EXPECT_EQ(later(device, 100), absent(device, 100));
  }
}

}  // namespace
}  // namespace choir
