// PCA under differential privacy against dense decompositions, and what it sends.
#include "choir/learn/gossip_pca/private_program.h"

#include <cmath>

#include "learn/gossip_pca/toy.h"
#include <Eigen/Eigenvalues>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/learn/gossip_pca/findings.h"
#include "choir/learn/gossip_pca/models.h"
#include "choir/runtime/message_codec.h"
#include "choir/runtime/sim/sim_engine.h"
#include "choir/runtime/statement.h"

namespace choir::gossip_pca {
namespace {

constexpr double hardly_any = 1e9;  // epsilon: hardly any noise

Options private_pca_options(double epsilon, double clip) {
  Options options;
  options.n_components = {.count = 3};
  options.privacy = {.epsilon = epsilon, .clip = clip};
  return options;
}

Samples shortened(Samples samples, double clip) {
  for (auto column : samples.colwise()) column *= std::min(1.0, clip / column.norm());
  return samples;
}

// Of 400 samples at five nodes, with a clip that shortens some of them.
TEST(PrivateGossipPca, WithHardlyAnyNoiseIsPcaOfTheShortenedSamples) {
  const Samples samples = spread_samples(8, 400, 3);
  const double clip = samples.colwise().norm().mean();
  const Fit fit = simulate(dealt(samples, 5), private_pca_options(hardly_any, clip));
  const Samples seen = shortened(samples, clip);
  const Matrix centred = seen.colwise() - seen.rowwise().mean();
  const Matrix covariance = centred * centred.transpose() / 400;
  const Eigen::SelfAdjointEigenSolver<Matrix> truth(covariance);
  const NodeResult& result = fit.at(3);
  EXPECT_LE((result.mean - seen.rowwise().mean()).norm(), 1e-4);
  EXPECT_NEAR(result.total_variance, covariance.trace(), 1e-3);
  EXPECT_EQ(result.samples, 400);
  for (Index d = 0; d < 3; ++d) {
    EXPECT_NEAR(result.variances(d), truth.eigenvalues()(7 - d), 1e-3);
    EXPECT_NEAR(std::abs(result.directions.col(d).dot(truth.eigenvectors().col(7 - d))), 1, 1e-3);
  }
}

TEST(PrivateGossipPca, AllNodesHaveTheSameAnswerAndSendNothingButMaskedWordsAndTotals) {
  const std::vector<Samples> shards = dealt(spread_samples(8, 400, 3), 5);
  Options random = private_pca_options(1, 1);
  random.privacy.clip = {};
  random.features = FeatureKind::random_features;
  random.n_features = 40;
  random.kernel = {.kind = KernelKind::rbf};
  random.gamma = parse_gamma("0.1");
  Options landmarks = random;
  landmarks.privacy.clip = 3;
  landmarks.features = FeatureKind::landmarks;
  landmarks.n_landmarks = 20;
  for (const Options& options : {private_pca_options(1, 3), random, landmarks}) {
    const Fit fit = simulate(shards, options);
    EXPECT_EQ(fit.report.ledger.kinds(), (KindSet{Kind::masked, Kind::totals, Kind::control}));
    for (NodeId node = 0; node < 5; ++node) {
      EXPECT_EQ(fit.at(node).directions, fit.at(0).directions);
      EXPECT_EQ(fit.at(node).variances, fit.at(0).variances);
      EXPECT_EQ(fit.at(node).participants, 5);
      EXPECT_FALSE(fit.at(node).assessment);
      EXPECT_EQ(fit.at(node).between_node_variance, 0);
      EXPECT_NO_THROW(model_of(fit.at(node)));
    }
  }
}

// What processes tell each other of their nodes: a figure of a node's own samples would differ.
TEST(PrivateGossipPca, AllNodesFindTheSame) {
  const Fit fit = simulate(dealt(spread_samples(8, 400, 3), 5), private_pca_options(1, 3));
  const auto told = [&](NodeId node) {
    NodeFindings findings = findings_of(fit.at(node));
    findings.node = 0;
    findings.seconds = 0;
    ByteBuffer bytes;
    encode(statement(Kind::summaries, findings), bytes);
    return bytes;
  };
  for (NodeId node = 1; node < 5; ++node) EXPECT_EQ(told(node), told(0));
}

TEST(PrivateGossipPca, FeaturesOfAKernelScoreLikeTheirPca) {
  const Samples samples = spread_samples(8, 400, 3);
  Options options = private_pca_options(hardly_any, 1);
  options.privacy.clip = {};
  options.features = FeatureKind::random_features;
  options.n_features = 40;
  options.kernel = {.kind = KernelKind::rbf};
  options.gamma = parse_gamma("0.1");
  const Fit fit = simulate(dealt(samples, 5), options);
  const Matrix psi = fit.at(2).map->features(samples);
  const Matrix centred = psi.colwise() - psi.rowwise().mean();
  const Eigen::SelfAdjointEigenSolver<Matrix> truth(Matrix(centred * centred.transpose() / 400));
  const Matrix scores = transform(model_of(fit.at(2)), samples);
  const Vector first = centred.transpose() * truth.eigenvectors().col(39);
  EXPECT_NEAR(std::abs(scores.col(0).dot(first)) / (scores.col(0).norm() * first.norm()), 1, 1e-3);
  expect_error(ErrorCategory::InvalidArgument, {"no samples of scores"},
               [&] { inverse(model_of(fit.at(2)), Matrix::Zero(1, 3)); });
}

TEST(PrivateGossipPca, ANodeMayNotBeDoneWithout) {
  SimEngine engine;
  expect_error(ErrorCategory::InvalidArgument, {"cannot go on without lost nodes"}, [&] {
    fit_gossip_pca(engine, make_topology("complete", 2, 0), dealt(spread_samples(4, 40, 3), 2),
                   private_pca_options(1, 1), {.seed = 1, .lost_peers = LostPeers::proceed});
  });
}

}  // namespace
}  // namespace choir::gossip_pca
