#include "choir/learn/online_kernel/step.h"

#include <cmath>
#include <limits>

#include "linalg/matrices.h"
#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "choir/graph/topology.h"

namespace choir::online_kernel {
namespace {

TEST(Step, LeadingMomentIsTheLargestEigenvalueOverTheBatch) {
  const Samples batch = testing::random_matrix(3, 20, 1);
  Matrix gram(20, 20);
  for (Index i = 0; i < 20; ++i) {
    for (Index j = 0; j < 20; ++j) gram(i, j) = std::exp(-0.3 * (batch.col(i) - batch.col(j)).squaredNorm());
  }
  const double truth = Eigen::SelfAdjointEigenSolver<Matrix>(gram).eigenvalues()(19) / 20;
  EXPECT_NEAR(leading_moment({.gamma = 0.3}, batch), truth, 1e-13);
  EXPECT_EQ(leading_moment({.gamma = 0.3}, Samples(3, 0)), 0);
}

TEST(Step, LargestDiagonalIsTheLargestSelfSimilarity) {
  const Samples batch{{1, 2, 0}, {0, 3, 1}};
  EXPECT_EQ(largest_diagonal({.kind = KernelKind::linear}, batch), 13);
  EXPECT_EQ(largest_diagonal({.kind = KernelKind::rbf}, batch), 1);
  EXPECT_EQ(largest_diagonal({.kind = KernelKind::rbf}, Samples(2, 0)), 0);
}

// 2 d_max stands for lambda_max(L), which no node knows.
TEST(Step, AtTheCapTheConsensusStepIsStableOnAnyGraph) {
  for (const char* topology : {"star", "ring:2", "complete", "erdos:0.3"}) {
    const Graph graph = make_topology(topology, 12, 1);
    Matrix laplacian = Matrix::Zero(12, 12);
    Index largest_degree = 0;
    for (NodeId i = 0; i < 12; ++i) {
      laplacian(i, i) = static_cast<double>(graph.degree(i));
      largest_degree = std::max(largest_degree, graph.degree(i));
      for (const NodeId j : graph.neighbors(i)) laplacian(i, j) = -1;
    }
    const double lambda = Eigen::SelfAdjointEigenSolver<Matrix>(laplacian).eigenvalues()(11);
    const double cap = penalty_cap(3, largest_degree, 2);
    EXPECT_DOUBLE_EQ(cap, 1 / (2 * 3.0 * static_cast<double>(largest_degree) * 2));
    EXPECT_LE(3 * cap * lambda * 2, consensus_step(3, cap, largest_degree, 2) + 1e-12);
    EXPECT_DOUBLE_EQ(consensus_step(3, cap, largest_degree, 2), 1);
  }
  EXPECT_EQ(penalty_cap(3, 0, 1), std::numeric_limits<double>::infinity()) << "nobody to disagree with";
}

TEST(Step, PenaltyDoublesUpToItsCap) {
  Options options;
  options.penalty = 0.01;
  options.penalty_doubling = 200;
  EXPECT_EQ(penalty_after(0, options, 1), 0.01);
  EXPECT_EQ(penalty_after(199, options, 1), 0.01);
  EXPECT_EQ(penalty_after(200, options, 1), 0.02);
  EXPECT_EQ(penalty_after(1000, options, 1), 0.32);
  EXPECT_EQ(penalty_after(1400, options, 1), 1);
  EXPECT_EQ(penalty_after(~std::uint64_t{0}, options, 1), 1);
  EXPECT_EQ(penalty_after(0, options, 0.001), 0.001);
  options.penalty = 0;
  EXPECT_EQ(penalty_after(~std::uint64_t{0}, options, 1), 0);
  options.penalty = 0.01;
  options.penalty_doubling = 0;
  EXPECT_EQ(penalty_after(1000000, options, 1), 0.01);
}

TEST(Step, GivenStepsAndThoseOfPenaltiesAreThePapers) {
  Options options;
  options.eta = 3;
  EXPECT_EQ(step_size(options, {.nodes = 20, .leading_moment = 0.3}), 3);
  EXPECT_EQ(step_decay(options, 1000), 1);
  EXPECT_NEAR(prune_error(options, 3, {}), 0.04 * std::pow(3, 1.5), 1e-15);
  options.eta = {};
  options.consensus = Consensus::penalty;
  EXPECT_EQ(step_size(options, {.nodes = 20, .leading_moment = 0.3}), 3);
  EXPECT_NEAR(prune_error(options, 3, {}), 0.04 * std::pow(3, 1.5), 1e-15);
  options.consensus = Consensus::symmetric;
  EXPECT_NEAR(prune_error(options, 3, {}), 0.01 * std::pow(3, 1.5), 1e-15) << "its corrections are smaller";
  options.loss = Loss::squared;
  EXPECT_DOUBLE_EQ(gradient_step(step_size(options, {.leading_moment = 0.4}), 0.4, options.loss),
                   stable_up_to(Consensus::diffusion) / 2);
  EXPECT_EQ(step_size(options, {.leading_moment = 1e-3}), 3);
  EXPECT_NEAR(prune_error(options, 1, {}), 0.01, 1e-15);
  options.eta = 0.7;
  options.epsilon = 0.2;
  EXPECT_EQ(step_size(options, {.leading_moment = 0.4}), 0.7);
  EXPECT_EQ(prune_error(options, 0.7, {}), 0.2);
  EXPECT_EQ(prune_error(options, 0.7, {.target_scale = 10}), 0.02) << "of targets divided by 10";
}

TEST(Step, AutomaticStepsAreThoseOfASampleTimesTheBatch) {
  Options options;
  EXPECT_DOUBLE_EQ(step_size(options, {}), 32 * 3);
  EXPECT_DOUBLE_EQ(step_size(options, {.nodes = 5}), 32 * 15) << "diffusion averages";
  EXPECT_EQ(step_size(options, {.nodes = 100}), step_size(options, {.nodes = 10}));
  EXPECT_DOUBLE_EQ(step_size(options, {.largest_diagonal = 2}), 32 * 1.5);
  options.loss = Loss::squared;
  options.batch = 8;
  EXPECT_DOUBLE_EQ(step_size(options, {.nodes = 5}), 8 * 3.5);
  EXPECT_DOUBLE_EQ(step_size(options, {.nodes = 100}), 8 * 7);
}

TEST(Step, AutomaticStepsShrinkAndForDriftStopShrinking) {
  Options options;
  EXPECT_EQ(step_decay(options, 0), 1);
  EXPECT_DOUBLE_EQ(step_decay(options, 100), 1 / std::sqrt(33.0));
  options.schedule = Schedule::constant;
  EXPECT_DOUBLE_EQ(step_decay(options, 20), 1 / std::sqrt(1 + 6.4));
  EXPECT_EQ(step_decay(options, 100), step_decay(options, 100000));
}

TEST(Step, CompressionLeavesWhatANeighbourMixesIn) {
  Options options;
  const double alone = prune_error(options, 96, {});
  EXPECT_DOUBLE_EQ(prune_error(options, 96, {.largest_degree = 2}), alone / 3);
  EXPECT_DOUBLE_EQ(prune_error(options, 96, {.largest_degree = 40}), alone / 5);
}

// A sample of a class that nobody has seen before must survive the round in which it comes, whatever J, B.
TEST(Step, CompressionMayNotUndoALoneSample) {
  for (const Index nodes : {1, 5, 20}) {
    for (const Index batch : {1, 32, 256}) {
      Options options;
      options.batch = batch;
      const double eta = step_size(options, {.nodes = nodes});
      const double weight = sample_weight(options, eta, 1) * std::sqrt(2);
      EXPECT_LT(prune_error(options, eta, {.nodes = nodes}), 0.5 * weight);
      const double later = eta * step_decay(options, 1000);
      EXPECT_NEAR(prune_error(options, eta, {.nodes = nodes}) * prune_decay(options, later, eta, 1) /
                      sample_weight(options, later, 1),
                  prune_error(options, eta, {.nodes = nodes}) / sample_weight(options, eta, 1), 1e-12)
          << "the same share of a sample in every round";
    }
  }
}

// f <- f - eta K (f - y) / B on a fixed batch: bounded at a gradient step of 1.99, unbounded at 2.01.
TEST(Step, GradientStepIsWhereDescentBeginsToDiverge) {
  const Samples batch = testing::random_matrix(2, 10, 1);
  Matrix gram(10, 10);
  for (Index i = 0; i < 10; ++i) {
    for (Index j = 0; j < 10; ++j) gram(i, j) = std::exp(-(batch.col(i) - batch.col(j)).squaredNorm());
  }
  const double moment = leading_moment({.gamma = 1}, batch);
  for (const double step : {1.99, 2.01}) {
    const double eta = step / moment;
    EXPECT_NEAR(gradient_step(eta, moment, Loss::squared), step, 1e-12);
    EXPECT_NEAR(gradient_step(eta, moment, Loss::logistic), step / 2, 1e-12);
    Vector f = Vector::Zero(10);
    const Vector y = testing::random_matrix(10, 1, 2);
    for (int t = 0; t < 3000; ++t) f -= (eta / 10) * (gram * (f - y)).eval();
    EXPECT_EQ(f.norm() < 10 * y.norm(), step < stable_up_to(Consensus::none)) << f.norm();
  }
}

// A - eta mu I over a ring of even length, the mode in which neighbours are opposite: 1 + lambda_min(A) =
// 2/3.
TEST(Step, DiffusionOnARingIsStableUpToTwoThirds) {
  const Graph ring = make_topology("ring:2", 8, 0);
  Matrix a = Matrix::Zero(8, 8);
  for (NodeId i = 0; i < 8; ++i) {
    a(i, i) = 1 / 3.0;
    for (const NodeId j : ring.neighbors(i)) a(i, j) = 1 / 3.0;
  }
  EXPECT_NEAR(1 + Eigen::SelfAdjointEigenSolver<Matrix>(a).eigenvalues()(0), 2 / 3.0, 1e-12);
  EXPECT_LT(stable_up_to(Consensus::diffusion) / 2, 2 / 3.0) << "the default step is below";
}

}  // namespace
}  // namespace choir::online_kernel
