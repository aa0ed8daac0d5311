#include "choir/learn/privacy/noisy_components.h"

#include <cmath>
#include <vector>

#include "graph/expect_error.h"
#include <Eigen/Eigenvalues>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/rng.h"
#include "choir/graph/topology.h"
#include "choir/runtime/engine.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir {
namespace {

using testing::expect_error;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const Contract contract{.method = "noisy components", .kinds = {Kind::masked, Kind::totals, Kind::control}};

// No column is longer than 1.
Matrix short_columns(Index features, Index samples) {
  Rng random(1, Purpose("noisy components test"));
  Matrix psi = Matrix::NullaryExpr(features, samples, [&] { return random.normal(); });
  const Vector scales = Vector::LinSpaced(features, 1, 0.2);
  psi = scales.asDiagonal() * psi;
  psi.row(0).array() += 1;
  return psi / psi.colwise().norm().maxCoeff();
}

Matrix covariance_of(const Matrix& psi) {
  const Matrix centred = psi.colwise() - psi.rowwise().mean();
  return centred * centred.transpose() / static_cast<double>(psi.cols());
}

std::vector<NoisyComponents> at_all_nodes(const Matrix& psi, Index nodes, Index count, double epsilon) {
  const Index each = psi.cols() / nodes;
  SimEngine engine;
  const auto outcome = run_nodes<NoisyComponents>(
      engine, make_topology("line", nodes, 0), contract, {.seed = 1},
      [&](Node& node) -> Task<NoisyComponents> {
        const ComponentsBudget budget = components_budget({.epsilon = epsilon}, nodes, false);
        SecureSums sums = co_await open_secure_sums(node);
        Matrix mine = psi.middleCols(each * node.id(), each);
        const ComponentChoice wanted{.count = count};
        const NoisyComponents found =
            co_await noisy_components(node, sums, std::move(mine), psi.cols(), wanted, budget);
        co_return found;
      });
  std::vector<NoisyComponents> all;
  for (const auto& node : outcome.results) all.push_back(*node);
  return all;
}

TEST(NoisyComponents, WithHardlyAnyNoiseAreThoseOfAllSamplesAtAllNodes) {
  const Matrix psi = short_columns(6, 300);
  const std::vector<NoisyComponents> all = at_all_nodes(psi, 3, 2, 1e9);
  const Eigen::SelfAdjointEigenSolver<Matrix> truth(covariance_of(psi));
  for (const NoisyComponents& found : all) {
    EXPECT_EQ(found.samples, 300);
    EXPECT_LE((found.mean - psi.rowwise().mean()).norm(), 1e-5);
    EXPECT_NEAR(found.total_variance, covariance_of(psi).trace(), 1e-5);
    for (Index d = 0; d < 2; ++d) {
      EXPECT_NEAR(found.variances(d), truth.eigenvalues()(5 - d), 1e-5);
      EXPECT_NEAR(std::abs(found.directions.col(d).dot(truth.eigenvectors().col(5 - d))), 1, 1e-5);
      Index largest = 0;
      found.directions.col(d).cwiseAbs().maxCoeff(&largest);
      EXPECT_GT(found.directions(largest, d), 0);
    }
    EXPECT_EQ(found.directions, all[0].directions);
    EXPECT_EQ(found.variances, all[0].variances);
    EXPECT_EQ(found.mean, all[0].mean);
  }
}

TEST(NoisyComponents, TwoRunsDiffer) {
  const Matrix psi = short_columns(6, 300);
  EXPECT_NE(at_all_nodes(psi, 3, 2, 1)[0].mean, at_all_nodes(psi, 3, 2, 1)[0].mean);
}

// Moments of nothing but noise: variances beyond the limit come from the mean's square alone, and are rare.
TEST(NoisyComponents, NoiseAloneShowsNoVarianceAboveItsLimit) {
  const Matrix nothing = Matrix::Zero(60, 300);
  const NoisyComponents found = at_all_nodes(nothing, 3, 60, 1)[0];
  EXPECT_LE(found.variances(0), 1.15 * found.noise);
  EXPECT_GE(found.variances(0), 0.7 * found.noise);
  EXPECT_GE(found.variances.minCoeff(), 0);
  EXPECT_GE(found.total_variance, found.variances.sum());
}

TEST(NoisyComponents, ThoseBelowTheNoiseAreCounted) {
  NoisyComponents found{.variances = Eigen::Vector3d(0.5, 0.2, 0.1), .noise = 0.15};
  EXPECT_EQ(found.clear(), 2);
  EXPECT_THAT(noise_words(found), HasSubstr("only 2 of 3 components are above the noise"));
  found.noise = 0.6;
  EXPECT_THAT(noise_words(found), HasSubstr("no component is above the noise"));
  found.noise = 0.05;
  EXPECT_THAT(noise_words(found), IsEmpty());
}

TEST(NoisyComponents, LandmarksThatAreFoundOutHaveTheirShareOfTheBudget) {
  const ComponentsBudget with = components_budget({.epsilon = 2}, 5, true);
  const ComponentsBudget without = components_budget({.epsilon = 2}, 5, false);
  ASSERT_TRUE(with.spread);
  EXPECT_FALSE(without.spread);
  EXPECT_NEAR(with.spread->rho + with.moments.rho, without.moments.rho, 1e-12);
  EXPECT_NEAR(with.spread->rho, share_of_spread * without.plan.rho(), 1e-12);
  EXPECT_EQ(with.plan.releases().size(), 2u);
  EXPECT_EQ(with.moments.sensitivity, moments_sensitivity);
}

TEST(NoisyComponents, MoreOfThemThanFeaturesAreRefused) {
  expect_error(ErrorCategory::InvalidArgument, {"4"}, [] { at_all_nodes(short_columns(3, 30), 3, 4, 1); });
}

Index counted(const std::vector<Index>& samples, const std::vector<Index>& features) {
  SimEngine engine;
  const auto outcome = run_nodes<Index>(engine, make_topology("line", static_cast<Index>(samples.size()), 0),
                                        contract, {.seed = 1}, [&](Node& node) {
                                          const auto j = static_cast<std::size_t>(node.id());
                                          return public_sample_count(node, samples[j], features[j]);
                                        });
  for (const auto& node : outcome.results) EXPECT_EQ(*node, *outcome.results[0]);
  return *outcome.results[0];
}

TEST(PublicSampleCount, IsThatOfAllNodes) { EXPECT_EQ(counted({3, 0, 9}, {4, 4, 4}), 12); }

TEST(PublicSampleCount, NodesOfOtherFeaturesAndNetworksWithoutSamplesAreRefused) {
  expect_error(ErrorCategory::InvalidArgument, {"4 features", "5"}, [] { counted({3, 1}, {4, 5}); });
  expect_error(ErrorCategory::InvalidArgument, {"no node has samples"}, [] { counted({0, 0}, {4, 4}); });
}

}  // namespace
}  // namespace choir
