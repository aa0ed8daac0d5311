#include "choir/runtime/blocks/mixing_estimate.h"

#include <cmath>

#include "runtime/blocks/networks.h"
#include <gtest/gtest.h>

#include "choir/graph/spectrum.h"
#include "choir/runtime/blocks/average.h"

namespace choir {
namespace {

struct Atom {
  double place;
  double weight;
};

Vector moments_of(const std::vector<Atom>& atoms, int count) {
  Vector moments = Vector::Zero(count);
  for (const Atom& atom : atoms) {
    for (int k = 0; k < count; ++k) moments[k] += atom.weight * std::cos(k * std::acos(atom.place));
  }
  return moments;
}

TEST(KrylovEstimate, OfAFewPointsIsTheFarthestOnEitherSide) {
  EXPECT_NEAR(krylov_estimate(moments_of({{0.9, 0.2}, {0.1, 1}, {-0.5, 0.7}}, 40)), 0.9, 1e-7);
  EXPECT_NEAR(krylov_estimate(moments_of({{0.3, 1}, {-0.8, 0.5}}, 20)), 0.8, 1e-7);
}

// Gauss and Chebyshev: the nodes of the rule with r points are cos((2 i - 1) pi / (2 r)).
TEST(KrylovEstimate, OfTheChebyshevMeasureIsTheLastNodeOfItsGaussRule) {
  for (const Index size : {1, 2, 5, 12}) {
    Vector moments = Vector::Zero(2 * size);
    moments[0] = 1;
    EXPECT_NEAR(krylov_estimate(moments),
                std::abs(std::cos(std::acos(-1.0) / (2.0 * static_cast<double>(size)))), 1e-14);
  }
}

TEST(KrylovEstimate, OfNothingIsZero) {
  EXPECT_EQ(krylov_estimate(Vector::Zero(4)), 0);
  EXPECT_EQ(krylov_estimate(Vector()), 0);
}

TEST(EstimateMixing, FindsTheSecondEigenvalueAndNeverMoreThanIt) {
  struct Case {
    const char* topology;
    Index nodes;
    double close;  // of the gap, relative
  };
  for (const Case& it : {Case{"line", 40, 1e-2}, Case{"ring:2", 60, 5e-2}, Case{"ring:4", 30, 1e-2},
                         Case{"star", 20, 1e-3}, Case{"erdos:0.2", 40, 5e-2}, Case{"grid", 36, 5e-2},
                         Case{"complete", 12, 1e-9}, Case{"line", 2, 1e-9}}) {
    const Graph graph = make_topology(it.topology, it.nodes, 3);
    const double truth = *spectral_summary(graph).mixing;
    for (const auto& engine : testing::calm_engines()) {
      const auto outcome = run_nodes<double>(
          *engine, graph, contract_of("mixing"), seeded(1),
          [](Node& node) { return estimate_mixing(node, std::max<Index>(20, node.tree().height)); });
      for (const auto& result : outcome.results) EXPECT_EQ(*result, *outcome.results[0]);
      EXPECT_LE(*outcome.results[0], truth + 1e-7) << it.topology;
      EXPECT_NEAR((1 - *outcome.results[0]) / (1 - truth), 1, it.close) << it.topology;
    }
  }
}

TEST(EstimateMixing, OfFewRoundsIsLowButNeverMoreThanTheTruth) {
  const Graph graph = make_topology("ring:2", 100, 0);
  const double truth = *spectral_summary(graph).mixing;
  double before = 0;
  for (const Index rounds : {1, 2, 5, 10, 20, 40}) {
    SimEngine engine;
    const auto outcome = run_nodes<double>(engine, graph, contract_of("mixing"), seeded(1),
                                           [rounds](Node& node) { return estimate_mixing(node, rounds); });
    EXPECT_LE(*outcome.results[0], truth + 1e-7);
    EXPECT_GE(*outcome.results[0], before - 1e-9) << "more rounds know more";
    before = *outcome.results[0];
  }
}

TEST(EstimateMixing, OfOneNodeIsZero) {
  SimEngine engine;
  const auto outcome = run_nodes<double>(engine, make_topology("complete", 1, 0), contract_of("mixing"),
                                         seeded(1), [](Node& node) { return estimate_mixing(node, 20); });
  EXPECT_EQ(*outcome.results[0], 0);
}

}  // namespace
}  // namespace choir
