// Whole runs under differential privacy.
#include <cmath>

#include "graph/expect_error.h"
#include "learn/federated_kmeans/toy.h"
#include <gtest/gtest.h>

#include "choir/kernel/random_features.h"
#include "choir/learn/federated_kmeans/fea.h"
#include "choir/learn/federated_kmeans/noisy_clusters.h"
#include "choir/learn/privacy/gaussian_privacy.h"
#include "choir/metrics/clustering.h"
#include "choir/runtime/engines.h"

namespace choir::federated_kmeans::noisy_program_test {
namespace {

using testing::expect_error;

constexpr double no_noise_to_speak_of = 1e8;

Options private_options(double epsilon) {
  Options options = small_options(Embedding::random_features);
  options.privacy.epsilon = epsilon;
  options.max_iter = 6;
  return options;
}

std::vector<std::int64_t> predicted(const Fit& fit) {
  return fit.at(server).model.predict(small_data().samples);
}

// Lloyd's iterations on all features in one place, from the seeds that the run has.
Matrix plain_lloyd(const Options& options, std::uint64_t seed) {
  const std::uint64_t shared = Rng(seed, Purpose("federated-kmeans")).bits();
  const Kernel kernel{.kind = KernelKind::rbf, .gamma = options.gamma.value};
  const Matrix features = RandomFeatures::draw(kernel, 8, fea_draw(options.n_features, shared, 1))
                              .transform(small_data().samples);
  const std::uint64_t seeding = Rng(shared, Purpose("federated-kmeans seeding")).bits();
  Matrix centres =
      NoisyClusters(features.rowwise().mean(), {.clusters = *options.n_clusters, .seed = seeding}).centres();
  for (Index iteration = 0; iteration < options.max_iter; ++iteration) {
    Matrix sums = Matrix::Zero(features.rows(), centres.cols());
    Vector counts = Vector::Zero(centres.cols());
    for (Index n = 0; n < features.cols(); ++n) {
      Index nearest = 0;
      (centres.colwise() - features.col(n)).colwise().squaredNorm().minCoeff(&nearest);
      sums.col(nearest) += features.col(n);
      counts(nearest) += 1;
    }
    for (Index c = 0; c < centres.cols(); ++c)
      if (counts(c) > 0) centres.col(c) = sums.col(c) / counts(c);
  }
  return centres;
}

TEST(NoisyProgram, WithHardlyAnyNoiseItIsPlainLloyd) {
  const Options options = private_options(no_noise_to_speak_of);
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const Fit fit = simulate(dealt(small_data().samples), options, seed);
    const Matrix expected = plain_lloyd(options, seed);
    EXPECT_LT((fit.at(server).model.centroids - expected).norm(), 1e-3) << seed;
    EXPECT_NEAR(fit.at(server).model.counts.sum(), 600, 1);
    EXPECT_EQ(fit.at(server).iterations, 6);
  }
}

TEST(NoisyProgram, FindsCloudsUnderNoise) {
  const Options options = private_options(40);
  const Fit fit = simulate(dealt(small_data().samples), options);
  EXPECT_GT(adjusted_rand_index(small_data().labels, predicted(fit)), 0.5);
}

TEST(NoisyProgram, NoiseIsNewInEveryRunWhateverTheSeed) {
  const Options options = private_options(8);
  const auto shards = dealt(small_data().samples);
  const Fit once = simulate(shards, options, 1);
  const Fit again = simulate(shards, options, 1);
  EXPECT_NE(once.at(server).model.centroids, again.at(server).model.centroids);
}

TEST(NoisyProgram, AllHaveTheSameModelAndReportAndNobodyHasFiguresOfSamples) {
  const Options options = private_options(2);
  const Fit fit = simulate(dealt(small_data().samples), options);
  for (NodeId node = 0; node <= server; ++node) {
    const NodeResult& result = fit.at(node);
    EXPECT_EQ(result.model.centroids, fit.at(server).model.centroids);
    EXPECT_EQ(result.model.counts, fit.at(server).model.counts);
    EXPECT_TRUE(result.labels.empty());
    EXPECT_EQ(result.inertia, 0);
    EXPECT_FALSE(result.change || result.silhouette || result.kept);
    ASSERT_TRUE(result.privacy);
    EXPECT_EQ(result.privacy->releases.size(), 7u);
    const double all = largest_rho(2, 1e-6);
    EXPECT_NEAR(result.privacy->rho(), all, 1e-9 * all);
    EXPECT_FALSE(result.privacy->left_out.empty());
  }
}

TEST(NoisyProgram, DevicesSendMaskedWordsAlone) {
  const Fit fit = simulate(dealt(small_data().samples), private_options(2));
  for (const Kind kind : all_kinds) {
    const bool expected = kind == Kind::masked || kind == Kind::control;
    for (NodeId device = 0; device < device_count; ++device)
      EXPECT_EQ(fit.report.ledger.sent_by(device, kind).messages > 0, expected) << to_string(kind);
  }
}

TEST(NoisyProgram, ASilentDeviceEndsTheRunAsItsNoiseWouldBeMissing) {
  Study study;
  study.absent = [](NodeId device, Index round) { return device == 2 && round == 3; };
  Options options = private_options(2);
  options.patience = std::chrono::milliseconds(300);
  expect_error(ErrorCategory::PeerLost, {"5 of 6 devices answered", "silent: nodes 2"},
               [&] { simulate(dealt(small_data().samples), options, 1, study); });
}

TEST(NoisyProgram, LostPeersAreNotDoneWithout) {
  expect_error(ErrorCategory::InvalidArgument, {"--lost-peers continue is not available with --privacy"}, [] {
    fit_federated_kmeans(*make_engine("sim"), dealt(small_data().samples), private_options(2),
                         {.seed = 1, .lost_peers = LostPeers::proceed});
  });
}

TEST(NoisyProgram, DevicesWithoutSamplesAreRefused) {
  expect_error(ErrorCategory::InvalidArgument, {"have no samples"},
               [] { simulate(std::vector<Samples>(device_count, Samples(8, 0)), private_options(2)); });
}

TEST(NoisyProgram, RunsOnThreadsAndWithADeviceThatHasNoSamples) {
  std::vector<Samples> shards = dealt(small_data().samples, device_count - 1);
  shards.emplace_back(8, 0);
  const Fit fit = fit_federated_kmeans(*make_engine("local"), shards, private_options(no_noise_to_speak_of),
                                       {.seed = 1, .threads = 2});
  EXPECT_LT((fit.at(server).model.centroids - plain_lloyd(private_options(1), 1)).norm(), 1e-3);
}

}  // namespace
}  // namespace choir::federated_kmeans::noisy_program_test
