#include "choir/runtime/blocks/average.h"

#include <cmath>
#include <limits>

#include "graph/expect_error.h"
#include "runtime/blocks/networks.h"
#include <gtest/gtest.h>

#include "choir/graph/spectrum.h"

namespace choir {
namespace {

Outcome<Average> run_average(Engine& engine, const Graph& graph, const AverageOptions& options,
                             const RunOptions& run = seeded(1)) {
  return run_nodes<Average>(engine, graph, contract_of("average"), run,
                            [&options](Node& node) { return average(node, values_of(node.id()), options); });
}

TEST(Average, IsTheMeanToTheToleranceWithTheSameBitsOnEveryEngine) {
  for (const Graph& graph : small_networks()) {
    const Matrix mean = testing::mean_of(testing::all_values(graph));
    std::vector<Outcome<Average>> outcomes;
    for (const auto& engine : testing::calm_engines()) outcomes.push_back(run_average(*engine, graph, {}));
    for (std::size_t node = 0; node < outcomes[0].results.size(); ++node) {
      const Average& result = *outcomes[0].results[node];
      EXPECT_TRUE(result.converged);
      EXPECT_LE(result.spread, 1e-9);
      EXPECT_LT((result.mean - mean).cwiseAbs().maxCoeff(), 1e-9 * 3);
      EXPECT_EQ(result.mean, outcomes[1].results[node]->mean);
      EXPECT_EQ(result.rounds, outcomes[0].results[0]->rounds) << "all stop at the same round";
    }
  }
}

TEST(Average, KeepsTheSumWhateverTheMixingIsTakenFor) {
  const Graph graph = make_topology("erdos:0.3", 16, 3);
  const Matrix mean = testing::mean_of(testing::all_values(graph));
  for (const double mixing : {0.0, 0.5, 0.999}) {
    SimEngine engine;
    AverageOptions options;
    options.mixing = mixing;
    options.max_rounds = 30;
    options.tol = 0;
    const auto outcome = run_average(engine, graph, options);
    Matrix sum = Matrix::Zero(3, 2);
    for (const auto& result : outcome.results) sum += result->mean;
    EXPECT_LT((sum / 16 - mean).cwiseAbs().maxCoeff(), 1e-14) << mixing;
    EXPECT_EQ(outcome.results[0]->rounds, 30);
    EXPECT_FALSE(outcome.results[0]->converged);
  }
}

Index rounds_of(const Graph& graph, bool accelerated, std::optional<double> mixing) {
  SimEngine engine;
  AverageOptions options;
  options.accelerated = accelerated;
  options.mixing = mixing;
  const auto outcome = run_average(engine, graph, options);
  EXPECT_TRUE(outcome.results[0]->converged);
  return outcome.results[0]->rounds;
}

// ln(tol) / ln(rate) rounds each; the polynomial in front of the accelerated rate and the batches between
// checks cost some more.
TEST(Average, IsAcceleratedByTheFactorThatTheSecondEigenvalueGives) {
  for (const auto& [topology, nodes] :
       {std::pair("ring:2", 40), std::pair("line", 24), std::pair("star", 20)}) {
    const Graph graph = make_topology(topology, nodes, 0);
    const double truth = *spectral_summary(graph).mixing;
    const auto plain = static_cast<double>(rounds_of(graph, false, truth));
    const auto accelerated = static_cast<double>(rounds_of(graph, true, truth));
    const double expected = std::log(asymptotic_rate(truth, true)) / std::log(truth);
    EXPECT_GT(expected, 2);
    EXPECT_GT(plain / accelerated, 0.7 * expected) << topology;
    EXPECT_LT(plain / accelerated, 1.3 * expected) << topology;
  }
}

TEST(Average, IsAboutAsFastWithTheEstimateAsWithTheTruth) {
  for (const auto& [topology, nodes] :
       {std::pair("ring:2", 40), std::pair("line", 24), std::pair("star", 20), std::pair("erdos:0.2", 40)}) {
    const Graph graph = make_topology(topology, nodes, 3);
    const Index with_truth = rounds_of(graph, true, *spectral_summary(graph).mixing);
    const Index with_estimate = rounds_of(graph, true, std::nullopt);
    EXPECT_LE(with_estimate, with_truth * 3 / 2 + 10) << topology;
  }
}

TEST(Average, ConvergesWithTheSafeBoundToo) {
  SimEngine engine;
  AverageOptions options;
  options.source = MixingSource::safe_bound;
  const auto outcome = run_average(engine, make_topology("ring:2", 10, 0), options);
  EXPECT_TRUE(outcome.results[0]->converged);
  EXPECT_EQ(outcome.results[0]->mixing, safe_mixing_bound(10));
}

TEST(SafeMixingBound, HoldsForTheWorstGraphsThatPeopleKnow) {
  for (const char* topology : {"line", "ring:2", "star", "complete", "tree:2"}) {
    for (const Index nodes : {3, 8, 50}) {
      EXPECT_LE(*spectral_summary(make_topology(topology, nodes, 0)).mixing, safe_mixing_bound(nodes));
    }
  }
  // Two complete halves joined by a path: the slowest of all for walks that choose their neighbours evenly.
  std::vector<Edge> links;
  for (NodeId a = 0; a < 10; ++a) {
    for (NodeId b = a + 1; b < 10; ++b) {
      links.push_back({a, b});
      links.push_back({20 + a, 20 + b});
    }
    links.push_back({9 + a, 10 + a});
  }
  links.push_back({19, 20});
  EXPECT_LE(*spectral_summary(Graph::from_edges(30, links)).mixing, safe_mixing_bound(30));
}

TEST(Average, OfEqualValuesStaysExactly) {
  SimEngine engine;
  const auto outcome = run_nodes<Average>(
      engine, make_topology("ring:4", 12, 0), contract_of("average"), seeded(1),
      [](Node& node) { return average(node, Matrix::Constant(2, 2, 0.1), AverageOptions()); });
  for (const auto& result : outcome.results) EXPECT_LT((result->mean.array() - 0.1).abs().maxCoeff(), 1e-16);
}

TEST(Average, OfZerosIsZeroAndConverged) {
  SimEngine engine;
  const auto outcome =
      run_nodes<Average>(engine, make_topology("ring:4", 12, 0), contract_of("average"), seeded(1),
                         [](Node& node) { return average(node, Matrix::Zero(2, 2), AverageOptions()); });
  for (const auto& result : outcome.results) {
    EXPECT_EQ(result->mean, Matrix::Zero(2, 2));
    EXPECT_TRUE(result->converged);
  }
}

RunOptions proceed() { return seeded(1, std::chrono::seconds(1), LostPeers::proceed); }

TEST(Average, ByAgreementIsTheMeanAndStopsAllAtTheSameRound) {
  for (const Graph& graph : small_networks()) {
    const Matrix mean = testing::mean_of(testing::all_values(graph));
    for (const auto& engine : testing::calm_engines()) {
      const auto outcome = run_average(*engine, graph, {}, proceed());
      for (const auto& result : outcome.results) {
        EXPECT_TRUE(result->converged);
        EXPECT_LT((result->mean - mean).cwiseAbs().maxCoeff(), 1e-9 * 3);
        EXPECT_EQ(result->rounds, outcome.results[0]->rounds);
      }
    }
  }
}

Outcome<Average> average_while_node_3_crashes(const RunOptions& run) {
  SimOptions network;
  network.crashes.push_back({.node = 3, .at = std::chrono::milliseconds(60)});
  SimEngine engine(network);
  AverageOptions options;
  options.mixing = 0.9;
  return run_average(engine, make_topology("ring:4", 12, 0), options, run);
}

TEST(Average, GoesOnWithoutACrashedNodeAndAllSurvivorsAgree) {
  const auto outcome = average_while_node_3_crashes(proceed());
  EXPECT_EQ(outcome.report.crashed, (std::vector<NodeId>{3}));
  const Average& first = *outcome.results[0];
  for (std::size_t node = 0; node < 12; ++node) {
    if (node == 3) continue;
    const Average& result = *outcome.results[node];
    EXPECT_TRUE(result.converged);
    EXPECT_EQ(result.rounds, first.rounds);
    EXPECT_LT((result.mean - first.mean).cwiseAbs().maxCoeff(), 1e-8);
  }
}

TEST(Average, NamesTheCrashedNodeIfThePolicyIsToFail) {
  testing::expect_error(ErrorCategory::PeerLost, {"for node 3"},
                        [] { average_while_node_3_crashes(seeded(1, std::chrono::seconds(1))); });
}

TEST(Average, RefusesWhatCannotBeAveraged) {
  SimEngine engine;
  AverageOptions options;
  options.mixing = 1;
  testing::expect_error(ErrorCategory::InvalidArgument, {"mixing is 1"},
                        [&] { run_average(engine, make_topology("line", 2, 0), options); });
  testing::expect_error(ErrorCategory::InvalidArgument, {"node 1", "not a finite number"}, [&] {
    run_nodes<Average>(engine, make_topology("line", 2, 0), contract_of("average"), seeded(1),
                       [](Node& node) {
                         const double value = node.id() == 1 ? std::numeric_limits<double>::quiet_NaN() : 0;
                         return average(node, Matrix::Constant(1, 1, value), AverageOptions());
                       });
  });
}

TEST(Acceleration, IsNoneForInstantMixingAndNearlyOneForSlow) {
  EXPECT_EQ(acceleration(0), 0);
  EXPECT_NEAR(acceleration(0.8), 0.25, 1e-15);  // 0.8 / 1.6 squared
  EXPECT_GT(acceleration(0.9999), 0.9);
  EXPECT_DOUBLE_EQ(metropolis_weight(2, 3), 0.25);
}

}  // namespace
}  // namespace choir
