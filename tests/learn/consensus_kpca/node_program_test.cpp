#include <map>

#include "learn/consensus_kpca/digits.h"
#include "message_of.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/error.h"
#include "choir/graph/topology.h"
#include "choir/learn/consensus_kpca/models.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir::consensus_kpca {
namespace {

using test::message_of;
using ::testing::HasSubstr;
using testing_digits::Digits;
using testing_digits::fit;
using testing_digits::fixed_length;
using testing_digits::mean_of;

Options until_content(Index components) {
  Options options = fixed_length(components, 60);
  options.tol = 1e-2;
  return options;
}

TEST(ConsensusKpcaProgram, AllNodesStopAtTheSameIterationContent) {
  const Fit fitted = fit(Digits(12, 40), until_content(2));
  for (const auto& node : fitted.nodes) {
    EXPECT_TRUE(node->converged);
    EXPECT_EQ(node->iterations, fitted.at(0).iterations);
    EXPECT_LT(node->iterations, 60);
    EXPECT_LT(node->change, 1e-2);
    EXPECT_EQ(static_cast<Index>(node->history.size()), node->iterations);
  }
}

TEST(ConsensusKpcaProgram, SaysThatItDidNotConverge) {
  Options options = until_content(2);
  options.max_iter = 2;
  options.use = Answer::neighborhood;
  const Fit fitted = fit(Digits(12, 40), options);
  for (const auto& node : fitted.nodes) {
    EXPECT_FALSE(node->converged);
    EXPECT_EQ(node->iterations, 2);
  }
}

TEST(ConsensusKpcaProgram, TheSameBitsOnAnyNumberOfThreadsAndInTheSimulator) {
  const Digits digits(8, 30);
  const Options options = until_content(2);
  const Fit one = fit(digits, options, {.seed = 3}, 1);
  const Fit three = fit(digits, options, {.seed = 3}, 3);
  SimEngine sim;
  const Fit simulated = fit_consensus_kpca(sim, digits.graph, digits.shards, options, {.seed = 3});
  for (NodeId j = 0; j < 8; ++j) {
    for (const Fit* other : {&three, &simulated}) {
      EXPECT_EQ(other->at(j).neighborhood_coefficients, one.at(j).neighborhood_coefficients);
      EXPECT_EQ(other->at(j).own_coefficients, one.at(j).own_coefficients);
      EXPECT_EQ(other->at(j).eigenvalues, one.at(j).eigenvalues);
    }
  }
  EXPECT_EQ(three.report.ledger, one.report.ledger);
  EXPECT_EQ(simulated.report.ledger, one.report.ledger);
}

TEST(ConsensusKpcaProgram, EigenvaluesAreTheCentralOnesToAFewPercent) {
  const Digits digits(12, 60);
  Options options = until_content(3);
  options.use = Answer::neighborhood;
  const Fit fitted = fit(digits, options);
  const central_kpca::Fit central = digits.central(3);
  const Vector ratio = fitted.at(5).eigenvalues.cwiseQuotient(central.model.eigenvalues);
  EXPECT_TRUE((ratio.array() > 0.98).all() && (ratio.array() < 1.1).all()) << ratio.transpose();
  EXPECT_NEAR(fitted.at(5).trace / central.model.trace, 1, 0.02);
  EXPECT_EQ(fitted.at(5).total_samples, 720);
  EXPECT_EQ(fitted.at(5).eigenvalues, fitted.at(0).eigenvalues);
}

TEST(ConsensusKpcaProgram, OneNodeAloneFindsTheCentralAnswer) {
  const Digits digits(1, 120, 4, "complete");
  Options options = fixed_length(2, 40);
  options.n_landmarks = 120;
  const Fit fitted = fit(digits, options);
  const central_kpca::Fit central = digits.central(2);
  const Quality quality = measure_quality(fitted, digits.graph, digits.shards, central);
  EXPECT_GE(quality.similarity_own.minCoeff(), 0.9999);
}

TEST(ConsensusKpcaProgram, NodesAgreeInSignAndOrderOnNewSamples) {
  const Digits digits(12, 60);
  const Fit fitted = fit(digits, until_content(3));
  const Samples news = Digits(14, 60).shards.back();
  const Matrix first = transform(model_of(fitted.at(0), Answer::neighborhood), news);
  for (NodeId j = 1; j < 12; ++j) {
    const Matrix other = transform(model_of(fitted.at(j), Answer::neighborhood), news);
    for (Index d = 0; d < 3; ++d) {
      EXPECT_GE(first.col(d).dot(other.col(d)) / (first.col(d).norm() * other.col(d).norm()), 0.95)
          << "node " << j << " component " << d;
    }
  }
  EXPECT_LE(fitted.at(3).consensus_gap.maxCoeff(), 0.05);
}

TEST(ConsensusKpcaProgram, AShareOfTheVarianceDecidesHowManyComponents) {
  const Digits digits(8, 60);
  Options options = fixed_length(1, 10);
  options.n_components = {.count = 0, .fraction = 0.15, .max_count = 12};
  const Fit fitted = fit(digits, options);
  const NodeResult& node = fitted.at(2);
  EXPECT_GE(node.eigenvalues.sum(), 0.15 * node.trace);
  EXPECT_LT(node.eigenvalues.head(node.eigenvalues.size() - 1).sum(), 0.15 * node.trace);
  EXPECT_EQ(node.own_coefficients.cols(), node.eigenvalues.size());
}

// When the nodes begin to exchange corrections of the iteration (counted from 1), as a trace of the run
// tells: iterations are the synchronous rounds of coefficients, one in the first and two in each of the
// others.
class IterationClock {
 public:
  void see(const TraceEvent& event) {
    const bool iterates = event.type == TraceType::send && event.kind == Kind::coefficients &&
                          event.channel == exchange_channel;
    if (iterates) begins_.try_emplace(event.round, event.time);
  }
  Duration begin_of(std::uint64_t iteration) const {
    const std::uint64_t first = begins_.begin()->first;
    return begins_.at(first + 2 * (iteration - 1) - 1).time_since_epoch();
  }

 private:
  std::map<std::uint64_t, Time> begins_;
};

TEST(ConsensusKpcaProgram, GoesOnWithoutANodeThatCrashesInIteration5) {
  const Digits digits(20, 90);
  const central_kpca::Fit central = digits.central(1);
  const auto run = [&](SimOptions network) {
    SimEngine sim(std::move(network));
    return fit_consensus_kpca(sim, digits.graph, digits.shards, fixed_length(1, 12),
                              {.deadline = std::chrono::seconds(5), .lost_peers = LostPeers::proceed});
  };
  const auto own = [&](const Fit& fitted) {
    return measure_quality(fitted, digits.graph, digits.shards, central).similarity_own;
  };
  IterationClock clock;
  SimOptions traced;
  traced.trace = [&](const TraceEvent& event) { clock.see(event); };
  const Fit whole = run(traced);
  SimOptions network;
  network.crashes = {{.node = 7, .at = clock.begin_of(5)}};
  const Fit crashed = run(network);
  EXPECT_FALSE(crashed.nodes[7].has_value());
  EXPECT_EQ(crashed.report.losses.size(), 4u);  // its four neighbours go on without it
  const Matrix with = own(crashed), without = own(whole);
  double difference = 0;
  for (Index j = 0; j < 20; ++j) difference += j == 7 ? 0 : (with(j, 0) - without(j, 0)) / 19;
  EXPECT_LE(std::abs(difference), 0.01);
  EXPECT_EQ(crashed.at(0).iterations, 12);
}

TEST(ConsensusKpcaProgram, RefusesANodeWithoutSamples) {
  Digits digits(6, 30);
  digits.shards[4].resize(784, 0);
  EXPECT_THAT(message_of([&] { fit(digits, fixed_length(1, 2)); }), HasSubstr("node 4 has no samples"));
}

TEST(ConsensusKpcaProgram, NamesNeighboursOfDifferentFeatures) {
  Digits digits(6, 30);
  digits.shards[2] = digits.shards[2].topRows(700).eval();
  const std::string complaint = message_of([&] { fit(digits, fixed_length(1, 2)); });
  EXPECT_THAT(complaint, HasSubstr("node 2"));
  EXPECT_THAT(complaint, HasSubstr("784"));
  EXPECT_THAT(complaint, HasSubstr("700"));
}

TEST(ConsensusKpcaProgram, ShardsSmallerThanTheNumberOfComponentsLeanOnTheirNeighbours) {
  Digits digits(6, 30);
  digits.shards[1] = digits.shards[1].leftCols(3).eval();
  const Fit fitted = fit(digits, fixed_length(5, 10));
  EXPECT_EQ(fitted.at(1).neighborhood_coefficients.cols(), 5);
  EXPECT_TRUE(fitted.at(1).own_coefficients.allFinite());
}

TEST(ConsensusKpcaProgram, RefusesMoreComponentsThanANeighbourhoodSpans) {
  Digits digits(6, 30, 4, "line");
  for (Samples& shard : digits.shards) shard = shard.leftCols(3).eval();
  EXPECT_THAT(message_of([&] { fit(digits, fixed_length(8, 2)); }),
              HasSubstr("the samples of node 0 and its neighbours span only 6"));
}

TEST(ConsensusKpcaProgram, DuplicateSamplesAreNoTrouble) {
  Digits digits(6, 30);
  for (Samples& shard : digits.shards) shard.rightCols(15) = shard.leftCols(15).eval();
  const Fit fitted = fit(digits, fixed_length(2, 10));
  for (const auto& node : fitted.nodes) EXPECT_TRUE(node->neighborhood_coefficients.allFinite());
}

TEST(ConsensusKpcaProgram, RefusesIdenticalSamples) {
  Digits digits(6, 30);
  for (Samples& shard : digits.shards) shard.colwise() = digits.shards[0].col(0).eval();
  for (const KernelKind kind :
       {KernelKind::rbf, KernelKind::laplacian, KernelKind::linear, KernelKind::poly}) {
    Options options = fixed_length(1, 2);
    options.kernel.kind = kind;
    EXPECT_THAT(message_of([&] { fit(digits, options); }), HasSubstr("are equal")) << to_string(kind);
  }
}

TEST(ConsensusKpcaProgram, RefusesAKernelThatIsTheIdentity) {
  Options options = fixed_length(1, 2);
  options.gamma.value = 1;
  for (const Share share : {Share::samples, Share::landmarks}) {
    options.share = share;
    const std::string complaint = message_of([&] { fit(Digits(6, 30), options); });
    EXPECT_THAT(complaint, HasSubstr("no sample resembles another"));
    EXPECT_THAT(complaint, ::testing::ContainsRegex("suggests gamma [0-9.]+e-08"));
  }
}

TEST(ConsensusKpcaProgram, RefusesARhoThatIsTooSmall) {
  Options options = fixed_length(1, 2);
  options.rho = {.rule = Penalty::Rule::number, .value = 0.1};
  EXPECT_THAT(message_of([&] { fit(Digits(6, 30), options); }), HasSubstr("rho is too small at node"));
}

}  // namespace
}  // namespace choir::consensus_kpca
