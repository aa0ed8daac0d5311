#include "choir/learn/gossip_pca/quality.h"

#include <cmath>

#include "graph/expect_error.h"
#include "learn/gossip_pca/toy.h"
#include <gtest/gtest.h>

#include "choir/learn/central/pca.h"
#include "choir/learn/gossip_pca/models.h"
#include "choir/linalg/columns.h"
#include "choir/metrics/subspace.h"

namespace choir::gossip_pca {
namespace {

TEST(GossipYardstick, TheCentralAnswerHasTheBestError) {
  const Samples samples = spread_samples(12, 200, 1);
  const Yardstick yardstick(samples, 3);
  const Vector& l = yardstick.eigenvalues();
  EXPECT_NEAR(yardstick.best_error(), l.tail(9).squaredNorm() / l.squaredNorm(), 1e-12);
  const Principal central{.mean = {}, .directions = yardstick.directions(), .variances = l.head(3)};
  EXPECT_NEAR(yardstick.error(central), yardstick.best_error(), 1e-12);
  EXPECT_EQ(yardstick.error({}), 1) << "who knows nothing";
}

TEST(GossipYardstick, MeasuresTheDistanceOfMatrices) {
  const Samples samples = spread_samples(12, 200, 1);
  const Yardstick yardstick(samples, 3);
  const Summary other = summary_of_samples(spread_samples(12, 200, 2), {.carry = 8});
  const Principal answer = principal_of(other, {.carry = 8}, 3);
  const Matrix difference =
      answer.directions * answer.variances.asDiagonal() * answer.directions.transpose() -
      yardstick.covariance();
  EXPECT_NEAR(yardstick.error(answer), difference.squaredNorm() / yardstick.covariance().squaredNorm(),
              1e-12);
  const double mean_error = (answer.mean - yardstick.mean()).norm() / yardstick.mean().norm();
  EXPECT_NEAR(yardstick.mean_error(answer.mean), mean_error, 1e-12);
}

TEST(GossipYardstick, LeavesOutNodesThatCrashed) {
  const Samples samples = spread_samples(12, 200, 1);
  Fit fit = simulate(dealt(samples, 5), plain_options(3, 40));
  const Quality whole = Yardstick(samples, 3).measure(fit);
  const double weight = fit.at(2).weight;
  fit.nodes[2].reset();
  const Quality rest = Yardstick(samples, 3).measure(fit);
  EXPECT_TRUE(std::isnan(rest.error[2]));
  EXPECT_NEAR(rest.mass, whole.mass - weight / 200, 1e-12);
  EXPECT_NEAR(rest.error_relative * 4, whole.error_relative * 5 - whole.error[2], 1e-12);
}

TEST(GossipYardstick, FollowsTheNodesFromWindowToWindow) {
  const Samples samples = spread_samples(12, 200, 1);
  const Fit fit =
      simulate(dealt(samples, 5), plain_options(3, 40), {}, "complete", 1, {.keep_iterates = true});
  const Yardstick yardstick(samples, 3);
  const Quality quality = yardstick.measure(fit);
  double first = 0;
  double last = 0;
  for (std::size_t j = 0; j < 5; ++j) {
    const std::vector<double>& after = quality.error_after[j];
    ASSERT_EQ(after.size(), 1 + fit.nodes[j]->history.size());
    ASSERT_GE(after.size(), 3u);
    const Principal alone =
        principal_of(summary_of_samples(dealt(samples, 5)[j], {.carry = 8}), {.carry = 8}, 3);
    EXPECT_NEAR(after.front(), yardstick.error(alone) - yardstick.best_error(), 1e-9);
    first += after.front();
    last += after.back();
    EXPECT_NEAR(after.back(), quality.error[j] - yardstick.best_error(), 1e-3);
  }
  EXPECT_LT(last, first / 4);
}

TEST(GossipYardstick, RefusesMoreComponentsThanFeatures) {
  testing::expect_error(ErrorCategory::InvalidArgument, {"5 components", "4 features"},
                        [] { Yardstick(spread_samples(4, 20, 1), 5); });
}

TEST(GossipPcaModels, ProjectNewSamplesAsTheCentralModelDoes) {
  const Samples samples = testing::low_rank_samples(15, 4, 300, 1);
  const Samples fresh = testing::low_rank_samples(15, 4, 20, 1);
  Options options = plain_options(4, 80);
  options.preprocessing.divide = 2;
  const Fit fit = simulate(dealt(samples, 6), options);
  Samples halved = samples / 2;
  const LinearModel central = fit_central_pca(halved, {.n_components = {.count = 4}}).model;
  const Model mine = model_of(fit.at(3));
  const Matrix expected = central.transform(fresh / 2);
  EXPECT_LT((transform(mine, fresh) - expected).norm(), 1e-5 * expected.norm());
  const LinearModel& linear = std::get<LinearModel>(mine);
  EXPECT_LT((linear.eigenvalues - central.eigenvalues).norm(), 1e-5 * central.eigenvalues(0));
  EXPECT_NEAR(linear.trace, central.trace, 1e-5 * central.trace);
  EXPECT_EQ(linear.training_samples, 300);
}

TEST(GossipPcaModels, KernelModelsScoreWithTheFeaturesOfTheFit) {
  const Samples samples = spread_samples(5, 300, 1);
  for (const FeatureKind kind : {FeatureKind::landmarks, FeatureKind::random_features}) {
    const Options options =
        kernel_options(3, 40, {.kind = kind, .gamma = "0.3", .landmarks = 60, .random_features = 300});
    const Fit fit = simulate(dealt(samples, 6), options, {}, "ring:4");
    const NodeResult& node = fit.at(1);
    const Matrix psi = node.map->features(samples);
    const Matrix expected = (psi.colwise() - node.mean).transpose() * node.directions;
    EXPECT_LT((transform(model_of(node), samples) - expected).norm(), 1e-8 * expected.norm())
        << to_string(kind);
    const Matrix back = inverse(model_of(node), expected.topRows(5));
    EXPECT_EQ(back.rows(), 5);
    EXPECT_TRUE(back.allFinite());
  }
}

TEST(GossipPcaModels, PartsAddUpToTheWholeModel) {
  const Samples samples = spread_samples(20, 30, 1);
  Options options = plain_options(3, 120);
  options.partition = Division::coordinates;
  options.carry = 29;
  const Fit fit = simulate(testing::dealt_rows(samples, 4), options);
  const LinearModel central = fit_central_pca(samples, {.n_components = {.count = 3}}).model;
  Matrix scores = Matrix::Zero(30, 3);
  const std::vector<Samples> rows = testing::dealt_rows(samples, 4);
  for (NodeId node = 0; node < 4; ++node) {
    const LinearPart part = part_of(fit.at(node));
    scores += (rows[static_cast<std::size_t>(node)].colwise() - part.mean).transpose() * part.loadings;
    EXPECT_LT((part.eigenvalues - central.eigenvalues).norm(), 1e-6 * central.eigenvalues(0));
  }
  EXPECT_LT(subspace_error(scores, central.transform(samples)), 1e-8);
}

}  // namespace
}  // namespace choir::gossip_pca
