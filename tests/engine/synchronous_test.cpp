// Synchronous programs: the same answers on every engine.
#include <cmath>
#include <numeric>

#include "engine/programs.h"
#include "engine/suite_engine.h"
#include <gtest/gtest.h>

#include "choir/base/error.h"
#include "choir/graph/topology.h"
#include "choir/runtime/message_codec.h"

namespace choir {
namespace {

const Contract rounds_contract{.method = "suite",
                               .kinds = {Kind::own_statistics, Kind::control, Kind::coefficients}};

Vector ramp(Index nodes) { return Vector::LinSpaced(nodes, -1, 2).array().square(); }

class Synchronous : public ::testing::TestWithParam<const char*> {
 protected:
  Engine& engine = *suite_engine();
};

TEST_P(Synchronous, AveragingFollowsTheDenseMatrix) {
  const Graph graph = make_topology(GetParam(), 24, 3);
  const Vector start = ramp(24);
  const auto outcome = run_nodes<double>(engine, graph, rounds_contract, {}, [&](Node& node) {
    return metropolis_rounds(node, start(node.id()), 30);
  });
  const Vector expected = metropolis_oracle(graph, start, 30);
  const NodeRange own = engine.own_nodes(24);
  for (NodeId node = 0; node < 24; ++node) {
    const auto& result = outcome.results[static_cast<std::size_t>(node)];
    ASSERT_EQ(result.has_value(), own.has(node));
    if (result) {
      EXPECT_NEAR(*result, expected(node), 1e-13);
    }
  }
  EXPECT_EQ(outcome.report.rounds, 31u);
}

TEST_P(Synchronous, TheLedgerCountsEveryMessageOnItsLink) {
  const Graph graph = make_topology(GetParam(), 24, 3);
  const auto outcome = run_nodes<double>(engine, graph, rounds_contract, {},
                                         [&](Node& node) { return metropolis_rounds(node, 1, 7); });
  const Ledger& ledger = outcome.report.ledger;
  Message scalar(Kind::own_statistics);
  scalar.number(1);
  const std::size_t size = encoded_size(scalar);
  for (NodeId node = 0; node < 24; ++node) {
    for (Index position = 0; position < graph.degree(node); ++position) {
      const Traffic link = ledger.link(node, position, Kind::own_statistics);
      EXPECT_EQ(link.messages, 7u);
      EXPECT_EQ(link.bytes, 7 * size);
    }
    EXPECT_EQ(ledger.sent_by(node, Kind::control).messages, static_cast<std::uint64_t>(graph.degree(node)));
  }
  EXPECT_EQ(ledger.total(Kind::raw_samples).messages, 0u);
  EXPECT_EQ(ledger.total().messages, static_cast<std::uint64_t>(2 * graph.edges()) * 8);
}

INSTANTIATE_TEST_SUITE_P(Topologies, Synchronous,
                         ::testing::Values("ring:4", "line", "star", "erdos:0.3", "complete"));

Task<Index> large_arrays(Node& node) {
  constexpr Index rows = 300000;
  Message mine(Kind::coefficients);
  mine.array(Array(Matrix(Matrix::Constant(rows, 3, node.id() + 0.5))));
  const Inbox inbox = co_await node.exchange(mine, node.deadline());
  Index right = 0;
  for (const Received& other : inbox) {
    const auto values = other.message.array(0).matrix();
    const bool whole = values.rows() == rows && values.cols() == 3;
    right += whole && (values.array() == other.from + 0.5).all() ? 1 : 0;
  }
  co_return right;
}

TEST(Synchronous, ArraysOfMegabytesArriveWhole) {
  Engine& engine = *suite_engine();
  const Graph graph = make_topology("ring:4", 6, 0);
  expect_everywhere(run_nodes<Index>(engine, graph, rounds_contract, {}, large_arrays), Index{4});
}

TEST(Synchronous, OneNodeAlone) {
  Engine& engine = *suite_engine();
  const Graph graph = make_topology("complete", 1, 0);
  const auto outcome = run_nodes<double>(engine, graph, rounds_contract, {},
                                         [&](Node& node) { return metropolis_rounds(node, 4.25, 5); });
  if (engine.own_nodes(1).has(0)) {
    EXPECT_EQ(outcome.results[0], 4.25);
  }
  EXPECT_EQ(outcome.report.ledger.total().messages, 0u);
}

TEST(Synchronous, SeveralRunsOfOneEngineAreIndependent) {
  Engine& engine = *suite_engine();
  for (const Index nodes : {3, 40, 5}) {
    const Graph graph = make_topology("ring:2", nodes, 0);
    const auto outcome = run_nodes<double>(engine, graph, rounds_contract, {},
                                           [&](Node& node) { return metropolis_rounds(node, 2, 4); });
    for (const auto& value : outcome.results) {
      if (value) {
        EXPECT_EQ(*value, 2);
      }
    }
  }
}

}  // namespace
}  // namespace choir
