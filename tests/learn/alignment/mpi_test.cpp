// Between processes: tables, hashes and refusals as bytes that really travel.
#include "graph/expect_error.h"
#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/learn/alignment/alignment.h"
#include "choir/runtime/mpi/mpi_engine.h"

namespace choir {
namespace {

constexpr Index nodes = 7;
const Contract contract{.method = "alignment", .kinds = {Kind::control, Kind::identifiers}};

Task<std::vector<std::string>> align(Node& node, std::vector<std::string> keys) {
  const std::vector<Index> rows = co_await common_rows(node, keys, 4);
  std::vector<std::string> common;
  for (const Index row : rows) common.push_back(keys[static_cast<std::size_t>(row)]);
  const SampleOrder restored{.keys = common, .samples = std::ssize(common)};
  co_await require_same_order(node, restored);
  const SampleOrder given{.keys = keys, .samples = std::ssize(keys)};
  co_await require_same_order(node, given);
  co_return common;
}

TEST(AlignmentOverMpi, RestoresAnOrderAndRefusesAnother) {
  MpiEngine engine;
  const Graph graph = make_topology("tree:2", nodes, 0);
  const std::vector<std::string> keys = {"c", "a", "b", "d"};
  const auto outcome = run_nodes<std::vector<std::string>>(engine, graph, contract, {},
                                                           [&](Node& node) { return align(node, keys); });
  const NodeRange own = engine.own_nodes(nodes);
  for (NodeId node = own.first; node < own.last; ++node) {
    EXPECT_EQ(outcome.results[static_cast<std::size_t>(node)],
              (std::vector<std::string>{"a", "b", "c", "d"}));
  }
  testing::expect_error(ErrorCategory::BadData,
                        {"node 5 has different samples, or the same samples in another order"}, [&] {
                          run_nodes<std::vector<std::string>>(engine, graph, contract, {}, [&](Node& node) {
                            std::vector<std::string> mine = keys;
                            if (node.id() == 5) std::swap(mine[0], mine[3]);
                            return align(node, mine);
                          });
                        });
}

}  // namespace
}  // namespace choir
