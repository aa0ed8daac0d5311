#include "graph/expect_error.h"
#include "learn/alignment/support.h"
#include <gtest/gtest.h>

#include "choir/learn/alignment/alignment.h"

namespace choir {
namespace {

struct Party {
  Samples samples;
  SampleOrder order;
  std::vector<Index> left_out = {};
};

// Sample "7" of node 2 is (7, 2): who it is, and whose.
Party party_of(NodeId node, const Keys& keys) {
  Party party{.samples = Samples(2, std::ssize(keys)), .order = {.keys = keys, .samples = std::ssize(keys)}};
  for (Index n = 0; n < party.order.samples; ++n) {
    party.samples.col(n) << std::stod(keys[static_cast<std::size_t>(n)]), static_cast<double>(node);
  }
  return party;
}

Task<Party> restored(Node& node, Keys keys) {
  Party party = party_of(node.id(), keys);
  party.left_out = co_await restore_order(node, party.samples, party.order, 100);
  co_return party;
}

Outcome<Party> restored(Engine& engine, const std::vector<Keys>& parties, const RunOptions& options = {}) {
  return run_nodes<Party>(
      engine, make_topology("line", std::ssize(parties), 0), alignment_contract, options,
      [&](Node& node) { return restored(node, parties[static_cast<std::size_t>(node.id())]); });
}

TEST(RestoreOrder, LeavesTheSamplesThatAllHaveInOneOrder) {
  const std::vector<Keys> parties = {{"3", "1", "4", "2"}, {"1", "2", "3"}, {"9", "8", "2", "3", "1", "7"}};
  const std::vector<std::vector<Index>> left_out = {{2}, {}, {0, 1, 5}};
  for (const auto& engine : testing::engines()) {
    Auditor auditor;
    const auto outcome = restored(*engine, parties, auditor.options());
    for (std::size_t node = 0; node < parties.size(); ++node) {
      const Party& party = *outcome.results[node];
      const Party expected = party_of(static_cast<NodeId>(node), {"1", "2", "3"});
      EXPECT_EQ(party.samples, expected.samples);
      EXPECT_EQ(party.order.keys, expected.order.keys);
      EXPECT_EQ(party.order.samples, 3);
      EXPECT_EQ(party.left_out, left_out[node]);
    }
    EXPECT_EQ(outcome.report.ledger.kinds(), (KindSet{Kind::control, Kind::identifiers}));
  }
}

TEST(RestoreOrder, RefusesPartiesWithoutASampleInCommon) {
  for (const auto& engine : testing::engines()) {
    expect_error(ErrorCategory::BadData, {"no key occurs at all parties"}, [&] {
      restored(*engine, {{"1", "2"}, {"2", "3"}, {"3", "1"}});
    });
  }
}

}  // namespace
}  // namespace choir
