// Kernel PCA under differential privacy against dense decompositions of the same features, and what it sends.
#include "choir/learn/consensus_kpca/private_program.h"

#include <cmath>
#include <vector>

#include "graph/expect_error.h"
#include "learn/central/toy.h"
#include <Eigen/Eigenvalues>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/kernel/random_features.h"
#include "choir/learn/consensus_kpca/findings.h"
#include "choir/learn/consensus_kpca/models.h"
#include "choir/runtime/message_codec.h"
#include "choir/runtime/sim/sim_engine.h"
#include "choir/runtime/statement.h"

namespace choir::consensus_kpca {
namespace {

using ::testing::ElementsAre;
using testing::expect_error;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing_toys::falling_scales;

constexpr double hardly_any = 1e9;  // epsilon: hardly any noise

Options private_options(Share share, double epsilon) {
  Options options;
  options.gamma = parse_gamma("0.05");
  options.share = share;
  options.n_features = 60;
  options.n_landmarks = 30;
  options.n_components = {.count = 3};
  options.privacy.epsilon = epsilon;
  if (share == Share::landmarks) options.privacy.clip = 8;
  return options;
}

std::vector<Samples> dealt_to_three(const Samples& samples) {
  const Index each = samples.cols() / 3;
  return {samples.leftCols(each), samples.middleCols(each, each),
          samples.rightCols(samples.cols() - 2 * each)};
}

Fit fitted(const Samples& samples, const Options& options, const RunOptions& run = {.seed = 1}) {
  SimEngine engine;
  return fit_consensus_kpca(engine, make_topology("line", 3, 0), dealt_to_three(samples), options, run);
}

// Of features, m x N: what PCA finds.
struct Truth {
  Vector mean;
  Eigen::SelfAdjointEigenSolver<Matrix> pairs;

  explicit Truth(const Matrix& psi)
      : mean(psi.rowwise().mean()), pairs((psi.colwise() - mean) * (psi.colwise() - mean).transpose()) {}
  double eigenvalue(Index d) const { return pairs.eigenvalues()(pairs.eigenvalues().size() - 1 - d); }
  Matrix scores(const Matrix& psi, Index count) const {
    return (psi.colwise() - mean).transpose() * pairs.eigenvectors().rowwise().reverse().leftCols(count);
  }
};

void expect_equal_up_to_sign(const Matrix& scores, const Matrix& truth) {
  for (Index d = 0; d < truth.cols(); ++d) {
    const double sign = scores.col(d).dot(truth.col(d)) < 0 ? -1 : 1;
    EXPECT_LE((scores.col(d) - sign * truth.col(d)).norm(), 1e-3 * truth.col(d).norm()) << d;
  }
}

TEST(PrivateConsensusKpca, WithHardlyAnyNoiseRandomFeaturesGiveTheirPca) {
  const Samples samples = falling_scales(5, 300);
  const Fit fit = fitted(samples, private_options(Share::random_features, hardly_any));
  const NodeResult& result = fit.at(1);
  const RandomFeaturesOptions drawn{.count = 60, .seed = result.features->seed};
  const Matrix psi = RandomFeatures::draw(result.kernel, 5, drawn).transform(samples);
  const Truth truth(psi);
  for (Index d = 0; d < 3; ++d) EXPECT_NEAR(result.eigenvalues(d) / truth.eigenvalue(d), 1, 1e-4);
  EXPECT_NEAR(result.trace, truth.pairs.eigenvalues().sum(), 1e-3 * result.trace);
  EXPECT_EQ(result.total_samples, 300);
  expect_equal_up_to_sign(transform(model_of(result, Answer::shared), samples), truth.scores(psi, 3));
}

TEST(PrivateConsensusKpca, WithHardlyAnyNoiseLandmarksGiveThePcaOfTheirFeatures) {
  const Samples samples = falling_scales(5, 300);
  const Fit fit = fitted(samples, private_options(Share::landmarks, hardly_any));
  const NodeResult& result = fit.at(2);
  const Samples points = result.shared_mean.points->matrix();
  EXPECT_EQ(points.cols(), 30);
  const SharedLandmarks landmarks{
      .points = *result.shared_mean.points,
      .whitening = Array(leading_whitening(result.kernel, points, Vector::Ones(30), 30))};
  const Matrix psi = landmarks.features(result.kernel, samples);
  const Truth truth(psi);
  for (Index d = 0; d < 3; ++d) EXPECT_NEAR(result.eigenvalues(d) / truth.eigenvalue(d), 1, 1e-3);
  expect_equal_up_to_sign(transform(model_of(result, Answer::shared), samples), truth.scores(psi, 3));
}

TEST(PrivateConsensusKpca, AllNodesHaveTheSameAnswerAndNoneOfTheirOwn) {
  for (const Share share : {Share::landmarks, Share::random_features}) {
    const Fit fit = fitted(falling_scales(5, 300), private_options(share, 1));
    const NodeFindings first = findings_of(fit.at(0));
    for (const NodeId node : {1, 2}) {
      EXPECT_EQ(fit.at(node).eigenvalues, first.eigenvalues);
      EXPECT_EQ(fit.at(node).shared_coefficients, fit.at(0).shared_coefficients);
      EXPECT_EQ(fit.at(node).notes, first.notes);
    }
    EXPECT_TRUE(fit.at(0).shards.empty());
    EXPECT_THAT(answers_in(fit.at(0), Contents::all), ElementsAre(Answer::shared));
    expect_error(ErrorCategory::InvalidArgument, {"no own answer"},
                 [&] { model_of(fit.at(0), Answer::own); });
    EXPECT_EQ(first.between_node_variance, 0);
    EXPECT_EQ(first.kernel_error, 0);
    EXPECT_EQ(first.assessment.captured_variance.size(), 0);
    EXPECT_TRUE(first.converged);
  }
}

// What processes tell each other of their nodes: a figure of a node's own samples would differ.
TEST(PrivateConsensusKpca, AllNodesFindTheSame) {
  for (const Share share : {Share::landmarks, Share::random_features}) {
    const Fit fit = fitted(falling_scales(5, 301), private_options(share, 1));
    const auto told = [&](NodeId node) {
      NodeFindings findings = findings_of(fit.at(node));
      findings.node = 0;
      findings.setup_seconds = findings.iterate_seconds = 0;
      ByteBuffer bytes;
      encode(statement(Kind::summaries, findings), bytes);
      return bytes;
    };
    EXPECT_EQ(told(1), told(0));
    EXPECT_EQ(told(2), told(0));
  }
}

TEST(PrivateConsensusKpca, OnlyMaskedWordsAndTotalsAreSent) {
  for (const Share share : {Share::landmarks, Share::random_features}) {
    const Fit fit = fitted(falling_scales(5, 300), private_options(share, 1));
    EXPECT_EQ(fit.report.ledger.kinds(), (KindSet{Kind::masked, Kind::totals, Kind::control}));
  }
}

// 300 samples under epsilon 1 are too few for three components: it is said.
TEST(PrivateConsensusKpca, ComponentsThatTheNoiseMayHaveMadeAreNamed) {
  const Samples samples = falling_scales(5, 300);
  const Fit noisy = fitted(samples, private_options(Share::random_features, 1));
  EXPECT_THAT(noisy.at(0).notes, ElementsAre(HasSubstr("above the noise")));
  const Fit clear = fitted(samples, private_options(Share::random_features, hardly_any));
  EXPECT_THAT(clear.at(0).notes, IsEmpty());
}

TEST(PrivateConsensusKpca, ANodeMayNotBeDoneWithout) {
  expect_error(ErrorCategory::InvalidArgument, {"cannot go on without lost nodes"}, [] {
    fitted(falling_scales(5, 300), private_options(Share::landmarks, 1),
           {.seed = 1, .lost_peers = LostPeers::proceed});
  });
}

TEST(PrivateConsensusKpca, RandomFeaturesMakeNoSamplesOfScores) {
  const Fit fit = fitted(falling_scales(5, 300), private_options(Share::random_features, 1));
  const Model model = model_of(fit.at(0), Answer::shared);
  expect_error(ErrorCategory::InvalidArgument, {"no samples of scores"},
               [&] { inverse(model, Matrix::Zero(1, 3)); });
}

}  // namespace
}  // namespace choir::consensus_kpca
