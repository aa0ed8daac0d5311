#include "choir/learn/alignment/order_comparison.h"

#include <algorithm>

#include "learn/alignment/support.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

Outcome<bool> compared(Engine& engine, const std::vector<Keys>& parties, const RunOptions& options = {},
                       const char* topology = "tree:2") {
  return run_nodes<bool>(
      engine, make_topology(topology, std::ssize(parties), 0), alignment_contract, options,
      [&](Node& node) { return has_order_of_root(node, parties[static_cast<std::size_t>(node.id())]); });
}

TEST(OrderComparison, TellsEachWhetherItsOrderIsThatOfTheRoot) {
  std::vector<Keys> parties(7, patients(10));
  std::swap(parties[2][3], parties[2][4]);
  parties[5][0] += "a";
  parties[6].clear();
  const std::vector<bool> same = {true, true, false, true, true, false, false};
  for (const auto& engine : testing::engines()) {
    for (const char* topology : {"star", "tree:2", "complete"}) {
      const auto outcome = compared(*engine, parties, {}, topology);
      for (std::size_t node = 0; node < parties.size(); ++node) EXPECT_EQ(outcome.results[node], same[node]);
      EXPECT_EQ(outcome.report.ledger.total(Kind::identifiers).messages, 2u * 6);
      EXPECT_EQ(outcome.report.ledger.total().messages, 2u * 6);
    }
  }
}

TEST(OrderComparison, OfOneIsWithItself) {
  SimEngine engine;
  EXPECT_EQ(compared(engine, {{"ada"}}, {}, "complete").results[0], true);
}

// Cut anywhere else, the same letters are another order.
TEST(OrderComparison, KnowsWhereKeysEnd) {
  SimEngine engine;
  EXPECT_EQ(compared(engine, {{"ab", "c"}, {"a", "bc"}}).results[1], false);
}

}  // namespace
}  // namespace choir
