// Devices that come late, and so many that fall silent that the rest is too few.
#include <set>

#include "codec/support.h"
#include "learn/federated_kmeans/toy.h"
#include <gtest/gtest.h>

#include "choir/graph/regular.h"
#include "choir/linalg/moments.h"
#include "choir/metrics/clustering.h"
#include "choir/runtime/engines.h"

namespace choir::federated_kmeans {
namespace {

INSTANTIATE_TEST_SUITE_P(NodeResult, EveryEmbedding, ::testing::ValuesIn(testing::every_embedding));

// From the opening to after the end, in steps that fall into every phase.
TEST_P(EveryEmbedding, DevicesThatComeLaterAreTakenIn) {
  const auto shards = dealt(small_data().samples);
  std::set<std::size_t> answered_first;
  for (const bool masked : {true, false}) {
    for (int step = 0; step < 30; ++step) {
      Options options = small_options(GetParam());
      options.masks = masked ? Masks::on : Masks::off;
      options.patience = std::chrono::milliseconds(50);
      options.preprocessing.standardize = Standardize::zscore;
      EngineOptions faulty;
      faulty.sim.joins = {{.node = 3, .at = std::chrono::milliseconds(45 + 5 * step)}};
      faulty.sim.slow = {{.node = 1, .factor = 4}, {.node = 3, .factor = 1.0 + step % 3}};
      const Fit fit = fit_federated_kmeans(*make_engine("sim", faulty), star_graph(device_count + 1, server),
                                           shards, options, {.seed = 1, .lost_peers = LostPeers::proceed});
      answered_first.insert(fit.at(server).rounds.front().answered);
      EXPECT_GT(adjusted_rand_index(small_data().labels, testing::labels_of(fit, device_count)), 0.95)
          << step;
      EXPECT_EQ(fit.at(3).model.centroids, fit.at(server).model.centroids);
      EXPECT_EQ(fit.at(3).model.embed(shards[3]), fit.at(server).model.embed(shards[3]));
      EXPECT_EQ(fit.at(3).labels, fit.at(server).model.predict(shards[3]));
    }
  }
  EXPECT_EQ(answered_first, (std::set<std::size_t>{5, 6}));
}

// Sums and squares are of the devices that answered first, though a sixth one comes in between: the same sums
// over more devices would show what that one has.
TEST(FederatedKmeans, MomentsAreOfOneSetOfDevices) {
  const auto shards = dealt(small_data().samples);
  Options options = small_options();
  options.patience = std::chrono::milliseconds(50);
  options.preprocessing.standardize = Standardize::zscore;
  Study study;
  study.absent = [](NodeId device, Index round) { return device == 1 && round == 0; };  // takes 50 ms
  EngineOptions faulty;
  faulty.sim.joins = {{.node = 3, .at = std::chrono::milliseconds(75)}};
  const Fit fit = fit_federated_kmeans(*make_engine("sim", faulty), shards, options,
                                       {.seed = 1, .lost_peers = LostPeers::proceed}, study);
  ASSERT_EQ(fit.at(server).rounds[0].answered, 4u);
  ASSERT_EQ(fit.at(server).rounds[1].answered, 4u);
  ASSERT_EQ(fit.at(server).rounds[2].answered, 6u);
  Matrix of_the_four(shards[0].rows(), 0);
  for (const std::size_t device : {0u, 2u, 4u, 5u}) {
    of_the_four.conservativeResize(Eigen::NoChange, of_the_four.cols() + shards[device].cols());
    of_the_four.rightCols(shards[device].cols()) = shards[device];
  }
  const Preprocessing pooled = fit_zscore(1, feature_moments(of_the_four));
  EXPECT_LT((fit.at(0).model.preprocessing.mean - pooled.mean).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_LT((fit.at(0).model.preprocessing.scale - pooled.scale).cwiseAbs().maxCoeff(), 1e-8);
}

// 30 landmarks, and devices of 9 samples each: four devices are enough, three are not.
TEST(FederatedKmeans, SumsOverTooFewSamplesAreNotAskedForLaterEither) {
  const auto shards = dealt(small_data().samples.leftCols(54), device_count);
  Options options = small_options();
  options.n_clusters = 2;
  options.min_count = 1;
  options.patience = std::chrono::milliseconds(100);
  const auto with_silent = [&](Index many) {
    Study study;
    study.absent = [many](NodeId device, Index round) { return round > 1 && device < many; };
    return simulate(shards, options, 1, study);
  };
  const Fit fit = with_silent(2);
  EXPECT_EQ(fit.at(server).rounds.back().samples, 36);
  Index attempts = 0;
  for (const Round& round : fit.at(server).rounds) attempts += round.attempts - 1;
  EXPECT_EQ(attempts, 1) << "the first time that two are silent the others are counted";
  EXPECT_THAT(sentence(ErrorCategory::PeerLost, [&] { with_silent(3); }),
              HasSubstr("3 of 6 devices are left, with 27 samples, and a total over fewer than 31"));
}

}  // namespace
}  // namespace choir::federated_kmeans
