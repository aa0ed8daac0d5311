// Defaults on data that nobody tuned for: the embedding keeps enough of the kernel, restarts find the
// optimum, the number of clusters is found, and answers that are not good say so.
#include <cmath>
#include <numbers>

#include "learn/federated_kmeans/toy.h"
#include <gtest/gtest.h>

#include "choir/base/rng.h"
#include "choir/kernel/gram.h"
#include "choir/learn/federated_kmeans/quality.h"
#include "choir/metrics/clustering.h"

namespace choir::federated_kmeans {
namespace {

// Two rings of radius 1 and 0.3.
testing::Clusters rings(Index count, std::uint64_t seed) {
  Rng rng(seed, Purpose("test rings"));
  testing::Clusters data{.samples = Samples(2, count), .labels = {}};
  for (Index n = 0; n < count; ++n) {
    const auto place = static_cast<double>(n / 2 * 37 % (count / 2));  // evenly, and not one after the other
    const double angle = 2 * std::numbers::pi * place / static_cast<double>(count / 2);
    const double radius = n % 2 == 0 ? 1 : 0.3;
    data.samples.col(n) << radius * std::cos(angle) + 0.05 * rng.normal(),
        radius * std::sin(angle) + 0.05 * rng.normal();
    data.labels.push_back(n % 2);
  }
  return data;
}

Options ring_options() {
  Options options;
  options.n_clusters = 2;
  options.gamma = parse_gamma("5");
  return options;
}

TEST(UntunedKmeans, FindsTheOptimumOfExactKernelKMeansOnRings) {
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    const testing::Clusters data = rings(400, seed);
    const Matrix kernel = choir::gram<double>({.gamma = 5}, data.samples, data.samples);
    const KernelKmeans exact = kernel_kmeans(kernel, {.clusters = 2, .n_init = 20, .seed = seed});
    for (const Index devices : {4, 10}) {  // with few samples each, means of 5 lie between the rings
      const Fit fit = simulate(dealt(data.samples, devices), ring_options(), seed);
      EXPECT_LE(kernel_cost(kernel, testing::labels_of(fit, devices), 2), 1.001 * exact.cost)
          << devices << " devices, seed " << seed;
    }
  }
}

// Where a device has two samples of a cloud, means of five say little about where the clouds are.
TEST(UntunedKmeans, FindsTheOptimumOfExactKernelKMeansOfManyClouds) {
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    const testing::Clusters data = testing::clusters(800, 20, 5, seed);
    const Matrix kernel = choir::gram<double>({.gamma = 0.012}, data.samples, data.samples);
    const KernelKmeans exact = kernel_kmeans(kernel, {.clusters = 20, .n_init = 40, .seed = seed});
    Options options;
    options.n_clusters = 20;
    options.gamma = parse_gamma("0.012");
    const Fit fit = simulate(dealt(data.samples, 20), options, seed);
    EXPECT_LE(kernel_cost(kernel, testing::labels_of(fit, 20), 20), 1.02 * exact.cost) << "seed " << seed;
  }
}

TEST(UntunedKmeans, TheRankKeepsNearlyAllOfTheTraceAndSaysHowMuch) {
  const testing::Clusters data = rings(400, 1);
  const Fit fit = simulate(dealt(data.samples), ring_options());
  const KeptTrace kept = fit.at(server).kept.value();
  EXPECT_GE(kept.of_features.value(), 0.95);
  EXPECT_EQ(kept.rank, fit.at(server).model.dimension());
  const Matrix embedded = fit.at(server).model.embed(data.samples);
  EXPECT_NEAR(kept.of_kernel, embedded.squaredNorm() / 400, 1e-9);
  EXPECT_LT(embedded.leftCols(kept.rank - 1).squaredNorm() / 400, 0.95 * kept.of_kernel / *kept.of_features)
      << "one eigenvector fewer would not";
}

TEST(UntunedKmeans, ByEveryRouteTheShareOfTheFeaturesIsKnown) {
  Options options = small_options();
  options.rank = 4;
  std::vector<double> shares;
  for (const EigenRoute route : {EigenRoute::gram, EigenRoute::cela, EigenRoute::capped_cela}) {
    options.eigen_route = route;
    const Fit fit = simulate(dealt(small_data().samples), options);
    shares.push_back(fit.at(server).kept->of_features.value());
  }
  EXPECT_NEAR(shares[1], shares[0], 1e-6);
  EXPECT_NEAR(shares[2], shares[0], 0.01);
}

// k(x, x) is not 1, and its sum is asked for.
TEST(UntunedKmeans, TheTraceOfAnyKernelIsKnown) {
  Options options = small_options();
  options.kernel = {.kind = KernelKind::poly, .degree = 2, .coef0 = 1};
  options.gamma = parse_gamma("0.05");
  const Fit fit = simulate(dealt(small_data().samples), options);
  const double trace = gram_diagonal<double>(fit.at(0).model.kernel, small_data().samples).sum();
  const Matrix embedded = fit.at(server).model.embed(small_data().samples);
  EXPECT_NEAR(fit.at(server).kept->of_kernel, embedded.squaredNorm() / trace, 1e-9);
}

TEST_P(EveryEmbedding, WhatIsKeptIsThatOfTheEmbedding) {
  const Fit fit = simulate(dealt(small_data().samples), small_options(GetParam()));
  const Matrix embedded = fit.at(server).model.embed(small_data().samples);
  EXPECT_NEAR(fit.at(server).kept->of_kernel, embedded.squaredNorm() / 600, 1e-9);
}

TEST(UntunedKmeans, FindsHowManyCloudsThereAre) {
  for (const Coordination coordination : {Coordination::server, Coordination::gossip}) {
    Options options = small_options();
    options.n_clusters.reset();
    options.max_clusters = 8;
    options.restarts = 3;
    options.coordination = coordination;
    const auto shards = dealt(small_data().samples);
    const Fit fit = coordination == Coordination::server ? simulate(shards, options)
                                                         : testing::simulate_ring(shards, options);
    const NodeResult& coordinator = fit.at(coordination == Coordination::server ? server : 0);
    EXPECT_EQ(coordinator.model.clusters(), 5);
    ASSERT_EQ(coordinator.tried.size(), 7u);
    EXPECT_EQ(coordinator.tried[3].silhouette, *coordinator.silhouette);
    EXPECT_GT(adjusted_rand_index(small_data().labels, testing::labels_of(fit, device_count)), 0.95);
  }
}

TEST(UntunedKmeans, DoesNotTryMoreClustersThanThereArePoints) {
  Options options = small_options();
  options.n_clusters.reset();
  options.n_landmarks = 20;
  const Fit fit = simulate(dealt(small_data().samples.leftCols(3).replicate(1, 80), 7), options);
  EXPECT_EQ(fit.at(7).tried.back().clusters, 3);
  EXPECT_EQ(fit.at(7).model.clusters(), 3);
}

TEST(UntunedKmeans, ADeviceWithoutSamplesTakesPart) {
  std::vector<Samples> shards = dealt(small_data().samples, 5);
  shards.insert(shards.begin() + 2, Samples(small_data().samples.rows(), 0));
  for (const Masks masks : {Masks::on, Masks::off}) {
    for (const Standardize standardize : {Standardize::none, Standardize::zscore}) {
      Options options = small_options();
      options.masks = masks;
      options.preprocessing.standardize = standardize;
      const Fit fit = simulate(shards, options);
      EXPECT_GT(adjusted_rand_index(small_data().labels, testing::labels_of(fit, device_count)), 0.95);
      EXPECT_TRUE(fit.at(2).labels.empty());
      EXPECT_EQ(fit.at(2).model.centroids, fit.at(server).model.centroids);
      EXPECT_EQ(fit.at(server).rounds.back().samples, 600);
    }
  }
  Options options = small_options();
  options.coordination = Coordination::gossip;
  EXPECT_GT(adjusted_rand_index(small_data().labels,
                                testing::labels_of(testing::simulate_ring(shards, options), device_count)),
            0.95);
}

}  // namespace
}  // namespace choir::federated_kmeans
