#include "choir/learn/alignment/key_counts.h"

#include "graph/expect_error.h"
#include "learn/alignment/support.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

using Counts = std::vector<Index>;

Outcome<Counts> told(Engine& engine, const Counts& counts, Index max_keys) {
  return run_nodes<Counts>(
      engine, make_topology("tree:2", std::ssize(counts), 0), alignment_contract, {},
      [&](Node& node) { return key_counts(node, counts[static_cast<std::size_t>(node.id())], max_keys); });
}

TEST(KeyCounts, AreKnownToAll) {
  const Counts counts = {5, 0, 17, 3, 3};
  for (const auto& engine : testing::engines()) {
    const auto outcome = told(*engine, counts, 17);
    for (const auto& result : outcome.results) EXPECT_EQ(result, counts);
    EXPECT_EQ(outcome.report.ledger.total(Kind::control).messages, 2u * 4);
    EXPECT_EQ(outcome.report.ledger.total().messages, 2u * 4);
  }
}

TEST(KeyCounts, EndTheRunIfOneIsAboveWhatWasAgreed) {
  for (const auto& engine : testing::engines()) {
    expect_error(ErrorCategory::BadData, {"node 2 brings 17 keys", "at most 16", "--max-keys"}, [&] {
      told(*engine, {5, 0, 17}, 16);
    });
  }
}

}  // namespace
}  // namespace choir
