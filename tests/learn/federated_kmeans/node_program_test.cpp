#include <cmath>

#include "codec/support.h"
#include "learn/federated_kmeans/toy.h"
#include <gtest/gtest.h>

#include "choir/graph/regular.h"
#include "choir/kernel/gram.h"
#include "choir/learn/federated_kmeans/quality.h"
#include "choir/linalg/moments.h"
#include "choir/metrics/clustering.h"
#include "choir/runtime/engines.h"

namespace choir::federated_kmeans {
namespace {

INSTANTIATE_TEST_SUITE_P(NodeResult, EveryEmbedding, ::testing::ValuesIn(testing::every_embedding));

TEST_P(EveryEmbedding, FindsTheClustersAndAllHaveTheSameModel) {
  const auto shards = dealt(small_data().samples);
  const Fit fit = simulate(shards, small_options(GetParam()));
  EXPECT_GT(adjusted_rand_index(small_data().labels, testing::labels_of(fit, device_count)), 0.95);
  EXPECT_TRUE(fit.at(server).converged);
  EXPECT_TRUE(fit.at(server).labels.empty());
  const Matrix embedded = fit.at(server).model.embed(small_data().samples);
  for (NodeId node = 0; node < device_count; ++node) {
    EXPECT_EQ(fit.at(node).model.centroids, fit.at(server).model.centroids);
    EXPECT_EQ(fit.at(node).model.embed(small_data().samples), embedded);
    EXPECT_EQ(fit.at(node).inertia, fit.at(server).inertia);
  }
  const Matrix distances = fit.at(server).model.distances(small_data().samples);
  EXPECT_NEAR(distances.rowwise().minCoeff().sum(), fit.at(server).inertia, 1e-9 * fit.at(server).inertia);
  EXPECT_NEAR(fit.at(server).model.counts.sum(), 600, 1e-9);
}

TEST_P(EveryEmbedding, PredictsTheLabelsOfItsOwnSamples) {
  const auto shards = dealt(small_data().samples);
  const Fit fit = simulate(shards, small_options(GetParam()));
  for (NodeId device = 0; device < device_count; ++device) {
    EXPECT_EQ(fit.at(device).model.predict(shards[static_cast<std::size_t>(device)]), fit.at(device).labels);
  }
}

TEST_P(EveryEmbedding, MasksChangeNothingButWhatTheServerSees) {
  const auto shards = dealt(small_data().samples);
  Options options = small_options(GetParam());
  const Fit masked = simulate(shards, options);
  options.masks = Masks::off;
  const Fit open = simulate(shards, options);
  EXPECT_EQ(testing::labels_of(masked, device_count), testing::labels_of(open, device_count));
  EXPECT_NEAR(masked.at(server).inertia, open.at(server).inertia, 1e-9 * open.at(server).inertia);
}

TEST_P(EveryEmbedding, IsTheSameOnThreadsAndInTheSimulator) {
  const auto shards = dealt(small_data().samples);
  const Options options = small_options(GetParam());
  const Fit simulated = simulate(shards, options);
  for (const int threads : {1, 3}) {
    const Fit fit = fit_federated_kmeans(*make_engine("local"), star_graph(device_count + 1, server), shards,
                                         options, {.seed = 1, .threads = threads});
    EXPECT_EQ(fit.at(server).model.centroids, simulated.at(server).model.centroids);
    EXPECT_EQ(testing::labels_of(fit, device_count), testing::labels_of(simulated, device_count));
    for (const Kind kind : all_kinds)
      EXPECT_EQ(fit.report.ledger.total(kind).bytes, simulated.report.ledger.total(kind).bytes);
  }
}

TEST(FederatedKmeans, SendsNoSampleAndNothingUndeclared) {
  const Fit fit = simulate(dealt(small_data().samples), small_options());
  EXPECT_EQ(fit.report.ledger.total(Kind::raw_samples).bytes, 0u);
  EXPECT_EQ(fit.report.ledger.total(Kind::features).bytes, 0u);
  EXPECT_GT(fit.report.ledger.total(Kind::centroids).bytes, 0u);
}

TEST(FederatedKmeans, RestartsShareTheirRounds) {
  Options options = small_options();
  const auto lloyd_rounds = [&](Index restarts) {
    options.restarts = restarts;
    const Fit fit = simulate(dealt(small_data().samples), options);
    const auto& rounds = fit.at(server).rounds;
    return std::count_if(rounds.begin(), rounds.end(),
                         [](const auto& round) { return round.what == "lloyd"; });
  };
  const auto one = lloyd_rounds(1);
  EXPECT_LE(lloyd_rounds(8), one + 20);
}

TEST(FederatedKmeans, EigenvectorsByAnyRouteGiveTheSameClusters) {
  const auto shards = dealt(small_data().samples);
  const Matrix kernel = choir::gram<double>({.gamma = 0.02}, small_data().samples, small_data().samples);
  for (const Embedding embedding : {Embedding::nystroem, Embedding::fea}) {
    Options options = small_options(embedding);
    options.rank = 10;
    options.eigen_route = EigenRoute::gram;
    const Fit gram = simulate(shards, options);
    const Matrix b = gram.at(server).model.embed(small_data().samples);
    options.eigen_route = EigenRoute::cela;
    const Fit cela = simulate(shards, options);
    const Matrix c = cela.at(server).model.embed(small_data().samples);
    EXPECT_LE((c * c.transpose() - b * b.transpose()).norm(), 1e-6 * (b * b.transpose()).norm());
    options.eigen_route = EigenRoute::capped_cela;
    const Fit capped = simulate(shards, options);
    EXPECT_LE(kernel_cost(kernel, testing::labels_of(capped, device_count), 5),
              1.001 * kernel_cost(kernel, testing::labels_of(gram, device_count), 5));
    EXPECT_THAT(capped.at(server).route_words, HasSubstr("eigenvectors by capped-cela"));
  }
}

TEST(FederatedKmeans, AgreesOnZscoreAndGammaWithoutASample) {
  testing::Clusters data = small_data();
  data.samples.row(2) = data.samples.row(2).array() * 100 + 1e4;
  Options options = small_options();
  options.preprocessing.standardize = Standardize::zscore;
  options.gamma = parse_gamma("scale");
  const Fit fit = simulate(dealt(data.samples), options);
  const Preprocessing pooled = fit_zscore(1, feature_moments(data.samples));
  const ClusterModel& model = fit.at(0).model;
  EXPECT_LT((model.preprocessing.mean - pooled.mean).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_LT((model.preprocessing.scale - pooled.scale).cwiseAbs().maxCoeff(), 1e-8);
  Samples prepared = data.samples;
  pooled.apply(prepared);
  EXPECT_NEAR(model.kernel.gamma, gamma_scale(prepared), 1e-9 * model.kernel.gamma);
  EXPECT_EQ(model.predict(dealt(data.samples)[0]), fit.at(0).labels);
  options.gamma = parse_gamma("median");
  const Fit median = simulate(dealt(data.samples), options);
  EXPECT_NEAR(median.at(0).model.kernel.gamma, gamma_median_stand_in(feature_moments(prepared)), 1e-9);
  EXPECT_THAT(median.at(server).notes.front(), HasSubstr("2 tr Cov"));
}

TEST(FederatedKmeans, KernelsWithoutABoundWorkToo) {
  Options options = small_options();
  options.kernel = {.kind = KernelKind::poly, .degree = 2, .coef0 = 1};
  options.gamma = parse_gamma("0.05");
  const auto shards = dealt(small_data().samples);
  const Fit fit = simulate(shards, options);
  EXPECT_GT(adjusted_rand_index(small_data().labels, testing::labels_of(fit, device_count)), 0.8);
}

TEST_P(EveryEmbedding, LaplacianKernelsAndOddNumbersOfFeaturesStayWithinTheirBounds) {
  Options options = small_options(GetParam());
  options.kernel.kind = KernelKind::laplacian;
  options.n_features = 11;
  options.rank = 5;
  const Fit fit = simulate(dealt(small_data().samples), options);
  EXPECT_TRUE(fit.at(server).model.centroids.allFinite());
}

TEST_P(EveryEmbedding, DevicesThatDropOutAreScaledForAndTakenBack) {
  const auto shards = dealt(small_data().samples);
  Options options = small_options(GetParam());
  options.patience = std::chrono::milliseconds(200);
  Study study;
  study.absent = [](NodeId device, Index round) { return (device + round) % 3 == 0; };
  const Fit fit = simulate(shards, options, 1, study);
  EXPECT_FALSE(fit.at(server).rounds.empty());
  for (const Round& round : fit.at(server).rounds) {
    ASSERT_EQ(round.silent.size(), 2u);
    EXPECT_EQ(round.silent[1], round.silent[0] + 3) << "every third";
    EXPECT_EQ(round.answered, 4u);
    EXPECT_EQ(round.samples, 400);
  }
  EXPECT_NEAR(fit.at(server).model.counts.sum(), 600, 1e-6);
  EXPECT_GT(adjusted_rand_index(small_data().labels, testing::labels_of(fit, device_count)), 0.95);
}

TEST_P(EveryEmbedding, LateAndLostMessagesChangeNothing) {
  const auto shards = dealt(small_data().samples);
  const Options options = small_options(GetParam());
  EngineOptions slow;
  slow.sim.latency = {.low = std::chrono::milliseconds(1), .high = std::chrono::milliseconds(30)};
  slow.sim.loss = 0.2;
  const Fit fit = fit_federated_kmeans(*make_engine("sim", slow), star_graph(device_count + 1, server),
                                       shards, options, {.seed = 1});
  EXPECT_EQ(fit.at(server).model.centroids, simulate(shards, options).nodes[server]->model.centroids);
}

TEST(FederatedKmeans, GoesOnWithoutADeviceThatCrashed) {
  const auto shards = dealt(small_data().samples);
  Options options = small_options();
  options.patience = std::chrono::milliseconds(500);
  EngineOptions faulty;
  faulty.sim.crashes = {{.node = 3, .at = std::chrono::milliseconds(20)}};
  const Fit fit = fit_federated_kmeans(*make_engine("sim", faulty), star_graph(device_count + 1, server),
                                       shards, options, {.seed = 1, .lost_peers = LostPeers::proceed});
  EXPECT_FALSE(fit.nodes[3]);
  EXPECT_EQ(fit.at(server).rounds.back().answered, 5u);
  EXPECT_EQ(fit.at(server).rounds.back().samples, 500);
  for (const NodeId device : {0, 1, 2, 4, 5}) {
    const std::vector<std::int64_t> truth(small_data().labels.begin() + 100 * device,
                                          small_data().labels.begin() + 100 * (device + 1));
    EXPECT_GT(adjusted_rand_index(truth, fit.at(device).labels), 0.95);
  }
}

TEST(FederatedKmeans, SumsThatWouldShowAllSamplesAreNotAskedFor) {
  Options options = small_options(Embedding::fea);
  options.n_features = 590;  // and rank 10
  EXPECT_THAT(
      sentence(ErrorCategory::InvalidArgument, [&] { simulate(dealt(small_data().samples), options); }),
      HasSubstr("the devices that answered have 600 samples together"));
}

TEST(FederatedKmeans, TooFewAnswersEndTheRun) {
  Options options = small_options();
  options.masks = Masks::off;
  options.n_landmarks = 200;  // all devices have fewer samples
  EXPECT_THROW(simulate(dealt(small_data().samples), options), Error);
}

TEST(FederatedKmeans, SmallDevicesRefuseUnmaskedSumsAndSayWhy) {
  std::vector<Samples> shards = dealt(small_data().samples);
  shards[2].conservativeResize(Eigen::NoChange, 30);
  Options options = small_options();
  options.masks = Masks::off;
  const Fit fit = simulate(shards, options);
  for (const Round& round : fit.at(server).rounds) EXPECT_EQ(round.refused, 1u);
  EXPECT_THAT(fit.at(2).notes,
              ::testing::ElementsAre(HasSubstr("it has 30 samples, and unmasked sums over no more than 30")));
  EXPECT_THAT(fit.at(server).notes, ::testing::Contains(HasSubstr("devices 2 refused")));
  EXPECT_EQ(std::ssize(fit.at(2).labels), 30);
  options.masks = Masks::on;
  const Fit masked = simulate(shards, options);
  EXPECT_EQ(masked.at(server).rounds.front().refused, 0u);
}

TEST(FederatedKmeans, ParallelSeedingSendsFeatures) {
  Options options = small_options(Embedding::random_features);
  options.seeding = Seeding::parallel;
  options.masks = Masks::off;
  const Fit fit = simulate(dealt(small_data().samples), options);
  EXPECT_GT(adjusted_rand_index(small_data().labels, testing::labels_of(fit, device_count)), 0.95);
  EXPECT_GT(fit.report.ledger.total(Kind::features).bytes, 0u);
  EXPECT_EQ(fit.report.ledger.total(Kind::centroids).bytes, 0u);
}

TEST(FederatedKmeans, CentroidsOfOneSampleAreDeclaredAsSamples) {
  Options options = small_options();
  options.min_count = 1;
  const Fit fit = simulate(dealt(small_data().samples), options);
  EXPECT_GT(fit.report.ledger.total(Kind::raw_samples).bytes, 0u);
  EXPECT_EQ(fit.report.ledger.total(Kind::centroids).bytes, 0u);
}

TEST(FederatedKmeans, CopiesOfSamplesAreNoPointsToStartFrom) {
  const Samples distinct = small_data().samples.leftCols(5);
  const Samples copies = distinct.replicate(1, 40);
  Options options = small_options();
  options.n_landmarks = 20;
  const auto refusal = [&](Index clusters) {
    options.n_clusters = clusters;
    return sentence(ErrorCategory::InvalidArgument, [&] { simulate(dealt(copies, 7), options); });
  };
  EXPECT_THAT(refusal(6), HasSubstr("there are only 5 distinct points to start 6 clusters from"));
  options.n_clusters = 5;
  const Fit fit = simulate(dealt(copies, 7), options);
  EXPECT_TRUE(fit.at(7).converged);
  EXPECT_EQ(fit.at(7).model.counts, Vector::Constant(5, 40));
}

TEST(FederatedKmeans, WrongNetworksAndShardsAreRefused) {
  auto shards = dealt(small_data().samples);
  const auto engine = make_engine("sim");
  const auto refusal = [&](const Graph& graph) {
    return sentence(ErrorCategory::InvalidArgument,
                    [&] { fit_federated_kmeans(*engine, graph, shards, small_options()); });
  };
  EXPECT_THAT(refusal(star_graph(device_count + 1, 0)), HasSubstr("the server is the last node, 6"));
  EXPECT_THAT(refusal(star_graph(device_count, device_count - 1)), HasSubstr("6 shards for 5"));
  shards[1].conservativeResize(3, Eigen::NoChange);
  EXPECT_THAT(refusal(star_graph(device_count + 1, server)),
              HasSubstr("the shards have 3 and 8 features; all need the same"));
}

}  // namespace
}  // namespace choir::federated_kmeans
