#include "choir/learn/gossip_pca/summary.h"

#include <cmath>

#include "learn/gossip_pca/toy.h"
#include <gtest/gtest.h>

#include "choir/linalg/eigen.h"

namespace choir::gossip_pca {
namespace {

constexpr MergeRule all_rules[] = {MergeRule::gram, MergeRule::orthogonal_iterations, MergeRule::late};

SummaryRule rule_of(MergeRule merge, Index carry) { return {.merge = merge, .carry = carry}; }

Matrix scatter_of(const Matrix& samples) {
  const Matrix centred = samples.colwise() - samples.rowwise().mean();
  return centred * centred.transpose();
}

Matrix projector(const Matrix& basis) { return basis * basis.transpose(); }

Matrix beside(const Matrix& a, const Matrix& b) {
  Matrix both(a.rows(), a.cols() + b.cols());
  both << a, b;
  return both;
}

Matrix covariance_of(const Principal& answer) {
  return answer.directions * answer.variances.asDiagonal() * answer.directions.transpose();
}

TEST(Summary, OfANodesSamplesIsTheirDenseEigendecomposition) {
  for (const Index count : {12, 60}) {  // by either side of the data
    const Matrix samples = spread_samples(20, count, 1);
    const EigenPairs dense = eigen_symmetric<double>(scatter_of(samples));
    for (const MergeRule merge : {MergeRule::gram, MergeRule::late}) {
      const SummaryRule rule = rule_of(merge, 8);
      const Summary summary = summary_of_samples(samples, rule);
      const Principal answer = principal_of(summary, rule, 5);
      EXPECT_EQ(summary.weight, count);
      EXPECT_NEAR(summary.trace, dense.values.sum(), 1e-9);
      EXPECT_LT((answer.mean - samples.rowwise().mean()).norm(), 1e-12);
      EXPECT_LT((answer.variances * count - dense.values.head(5)).norm(), 1e-9 * dense.values(0));
      EXPECT_LT((projector(answer.directions) - projector(dense.vectors.leftCols(5))).norm(), 1e-8);
    }
  }
}

// The bar: projector difference to the dense eigendecomposition of the sum below 1e-8.
TEST(Summary, GramMergeIsTheDenseEigendecompositionOfTheSum) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Matrix first = low_rank_samples(50, 4, 30, seed);
    const Matrix second = low_rank_samples(50, 5, 80, 100 + seed);  // another mean, other directions
    const SummaryRule rule = rule_of(MergeRule::gram, 12);
    Summary merged = summary_of_samples(first, rule);
    Rng random(seed, Purpose("test"));
    merge(merged, summary_of_samples(second, rule), rule, random);
    const Matrix all = beside(first, second);
    const EigenPairs dense = eigen_symmetric<double>(scatter_of(all));
    const Principal answer = principal_of(merged, rule, 10);  // rank 4 + 5 + 1
    ASSERT_EQ(answer.variances.size(), 10);
    EXPECT_LT((projector(answer.directions) - projector(dense.vectors.leftCols(10))).norm(), 1e-8);
    EXPECT_LT((answer.variances * 110 - dense.values.head(10)).norm(), 1e-10 * dense.values(0));
    EXPECT_LT((answer.mean - all.rowwise().mean()).norm(), 1e-12);
    EXPECT_NEAR(merged.trace, dense.values.sum(), 1e-9 * dense.values(0));
    EXPECT_NEAR(merged.weight, 110, 1e-12);
  }
}

TEST(Summary, KeepsTheTraceOfWhatTheRankDrops) {
  const Matrix first = spread_samples(30, 40, 1);
  const Matrix second = spread_samples(30, 40, 2);
  const SummaryRule rule = rule_of(MergeRule::gram, 3);
  Summary merged = summary_of_samples(first, rule);
  Rng random(1, Purpose("test"));
  merge(merged, summary_of_samples(second, rule), rule, random);
  EXPECT_EQ(merged.values.size(), 3);
  EXPECT_NEAR(merged.trace, scatter_of(beside(first, second)).trace(), 1e-9);
  EXPECT_NEAR(merged.within, scatter_of(first).trace() + scatter_of(second).trace(), 1e-9);
}

// Alg. 2 with enough iterations is exact if the rank of the uncentred sum is at most q.
TEST(Summary, OrthogonalIterationsFindTheSumAndItsMean) {
  const Matrix first = low_rank_samples(40, 3, 5, 1);  // fewer samples than q: the basis is padded
  const Matrix second = low_rank_samples(40, 3, 60, 2);
  SummaryRule rule = rule_of(MergeRule::orthogonal_iterations, 10);
  rule.max_t = 60;
  Summary merged = summary_of_samples(first, rule);
  Rng random(1, Purpose("test"));
  merge(merged, summary_of_samples(second, rule), rule, random);
  const Matrix all = beside(first, second);
  const Matrix covariance = scatter_of(all) / 65;
  EXPECT_LT((covariance_of(principal_of(merged, rule, 10)) - covariance).norm(), 1e-6 * covariance.norm());
}

TEST(Summary, TheDiagonalOfRLosesMassWhereRayleighRitzDoesNot) {
  const Matrix first = spread_samples(40, 100, 1);
  const Matrix second = spread_samples(40, 100, 2);
  SummaryRule rule = rule_of(MergeRule::orthogonal_iterations, 8);
  double kept[2] = {};
  for (const RitzValues values : {RitzValues::rayleigh, RitzValues::diagonal}) {
    rule.ritz_values = values;
    Summary merged = summary_of_samples(first, rule);
    const Summary theirs = summary_of_samples(second, rule);
    Rng random(1, Purpose("test"));
    for (int repeat = 0; repeat < 30; ++repeat) {
      take_share(merged, 0.5);
      Summary half = theirs;
      take_share(half, 0.5);
      merge(merged, half, rule, random);
    }
    kept[values == RitzValues::diagonal ? 1 : 0] = merged.values.sum() / merged.weight;
  }
  EXPECT_LE(kept[1], kept[0]);
}

TEST(Summary, SharesAddUpToWhatWasThere) {
  for (const MergeRule merge_rule : all_rules) {
    const SummaryRule rule = rule_of(merge_rule, 6);
    const Summary whole = summary_of_samples(low_rank_samples(20, 3, 50, 1), rule);
    Summary rest = whole;
    const Summary share = take_share(rest, 0.3);
    EXPECT_NEAR(share.weight, 15, 1e-12);
    EXPECT_NEAR(share.nodes, 0.3, 1e-15);
    Rng random(1, Purpose("test"));
    merge(rest, share, rule, random);
    EXPECT_NEAR(rest.weight, whole.weight, 1e-12);
    EXPECT_NEAR(rest.nodes, 1, 1e-15);
    EXPECT_NEAR(rest.trace, whole.trace, 1e-9);
    EXPECT_LT((rest.sum - whole.sum).norm(), 1e-10);
    const Matrix before = covariance_of(principal_of(whole, rule, 3));
    EXPECT_LT((covariance_of(principal_of(rest, rule, 3)) - before).norm(), 1e-6 * before.norm());
  }
}

TEST(Summary, MergingInAnyOrderGivesTheSame) {
  const SummaryRule rule = rule_of(MergeRule::gram, 40);
  std::vector<Summary> parts;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    parts.push_back(summary_of_samples(spread_samples(15, 10, seed), rule));
  }
  Rng random(1, Purpose("test"));
  Summary forth = parts[0];
  for (std::size_t i : {1u, 2u, 3u}) merge(forth, parts[i], rule, random);
  Summary pairs = parts[3];
  merge(pairs, parts[1], rule, random);
  Summary others = parts[2];
  merge(others, parts[0], rule, random);
  merge(pairs, others, rule, random);
  EXPECT_LT(
      (covariance_of(principal_of(forth, rule, 15)) - covariance_of(principal_of(pairs, rule, 15))).norm(),
      1e-10);
}

TEST(Summary, ANodeWithoutSamplesTakesWhatItGets) {
  for (const MergeRule merge_rule : all_rules) {
    const SummaryRule rule = rule_of(merge_rule, 6);
    Summary nothing = summary_of_samples(Matrix(20, 0), rule);
    EXPECT_EQ(nothing.weight, 0);
    EXPECT_EQ(principal_of(nothing, rule, 2).variances.size(), 0);
    const Summary theirs = summary_of_samples(low_rank_samples(20, 3, 50, 1), rule);
    Rng random(1, Purpose("test"));
    Summary receiver = nothing;
    merge(receiver, theirs, rule, random);
    EXPECT_EQ(receiver.weight, 50);
    EXPECT_EQ(receiver.nodes, 2);
    EXPECT_EQ(principal_of(receiver, rule, 2).variances, principal_of(theirs, rule, 2).variances);
    Summary giver = theirs;
    merge(giver, nothing, rule, random);
    EXPECT_EQ(giver.weight, 50);
    EXPECT_EQ(giver.nodes, 2);
  }
}

TEST(Summary, OfRowsIsTheirGramMatrix) {
  const Matrix rows = spread_samples(6, 15, 1);
  SummaryRule rule = rule_of(MergeRule::gram, 10);
  rule.has_mean = false;
  const Summary summary = summary_of_rows(rows, rule);
  const Matrix centred = rows.colwise() - rows.rowwise().mean();
  EXPECT_EQ(summary.weight, 6);
  const Principal answer = principal_of(summary, rule, 6);
  EXPECT_LT((covariance_of(answer) * 6 - centred.transpose() * centred).norm(),
            1e-10 * centred.squaredNorm());
}

TEST(Summary, DisagreementSeesDirectionsVariancesAndMeans) {
  const SummaryRule rule = rule_of(MergeRule::gram, 4);
  Matrix samples = spread_samples(2, 20, 1);
  samples.colwise() -= samples.rowwise().mean().eval();
  Matrix first = Matrix::Zero(6, 20);
  Matrix second = Matrix::Zero(6, 20);
  first.topRows(2) = samples;
  second.bottomRows(2) = samples;
  const Summary a = summary_of_samples(first, rule);
  EXPECT_NEAR(disagreement(a, a, 2), 0, 1e-12);
  EXPECT_NEAR(disagreement(a, summary_of_samples(second, rule), 2), 1, 1e-12);
  EXPECT_NEAR(disagreement(a, summary_of_samples(1.1 * first, rule), 2), 0.21, 1e-12);
  const double deviation = std::sqrt(first.squaredNorm() / 20);
  const Matrix moved = first.colwise() + Vector(0.5 * deviation * Vector::Unit(6, 3));
  EXPECT_NEAR(disagreement(a, summary_of_samples(moved, rule), 2), 0.5, 1e-12);
}

}  // namespace
}  // namespace choir::gossip_pca
