#include <algorithm>
#include <set>

#include "graph/expect_error.h"
#include "learn/alignment/support.h"
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "choir/learn/alignment/alignment.h"

namespace choir {
namespace {

Task<Keys> common_keys(Node& node, Keys keys, Index max_keys) {
  const std::vector<Index> rows = co_await common_rows(node, keys, max_keys);
  Keys common;
  for (const Index row : rows) common.push_back(keys[static_cast<std::size_t>(row)]);
  co_return common;
}

Outcome<Keys> common(Engine& engine, const std::vector<Keys>& parties, const RunOptions& options = {},
                     const char* topology = "tree:2", Index max_keys = 100) {
  return run_nodes<Keys>(
      engine, make_topology(topology, std::ssize(parties), 0), alignment_contract, options,
      [&](Node& node) { return common_keys(node, parties[static_cast<std::size_t>(node.id())], max_keys); });
}

Keys in_all(const std::vector<Keys>& parties) {
  std::set<std::string> result(parties.front().begin(), parties.front().end());
  for (const Keys& keys : parties) {
    std::erase_if(result, [&](const std::string& key) { return std::ranges::find(keys, key) == keys.end(); });
  }
  return {result.begin(), result.end()};
}

TEST(CommonRows, AreThoseThatAllPartiesHaveWhateverTheirOrder) {
  EXPECT_TRUE(rc::check("the same as an intersection of sets in one place", [] {
    const auto key = rc::gen::map(rc::gen::inRange(0, 12), [](int n) { return fmt::format("key {}", n); });
    const auto party = rc::gen::unique<Keys>(key);
    const auto parties = *rc::gen::nonEmpty(rc::gen::resize(7, rc::gen::container<std::vector<Keys>>(party)));
    for (const auto& engine : testing::engines()) {
      for (const auto& keys : common(*engine, parties, {}, "complete").results) {
        RC_ASSERT(keys == in_all(parties));
      }
    }
  }));
}

TEST(CommonRows, AreFoundWithoutTellingAnyAndNoneIsLeftOut) {
  std::vector<Keys> parties(7, patients(60));
  for (std::size_t node = 0; node < parties.size(); ++node)
    parties[node].erase(parties[node].begin() + 3 * node);
  for (const auto& engine : testing::engines()) {
    Auditor auditor;
    const auto outcome = common(*engine, parties, auditor.options());
    EXPECT_FALSE(auditor.saw("patient"));
    for (const auto& keys : outcome.results) EXPECT_EQ(keys, in_all(parties));
    EXPECT_EQ(outcome.results.front()->size(), 53u);
    const Ledger& ledger = outcome.report.ledger;
    EXPECT_EQ(ledger.total(Kind::control).messages, 2u * 6) << "the numbers of keys";
    // Sets round the ring and marks back, what all have to the root and to all.
    EXPECT_EQ(ledger.total(Kind::identifiers).messages, 2u * 7 * 2 * 6 + 2 * 6);
    EXPECT_EQ(ledger.total().messages, 2u * 6 + 2 * 7 * 2 * 6 + 2 * 6);
  }
}

TEST(CommonRows, MayBeNone) {
  SimEngine engine;
  for (const auto& keys : common(engine, {{"a", "b"}, {"c"}, {}}).results) EXPECT_EQ(keys, Keys());
}

TEST(CommonRows, OfTwoPartiesWithoutAKeyInCommonAreNone) {
  for (const auto& engine : testing::engines()) {
    for (const auto& keys : common(*engine, {patients(20), {"somebody", "else"}}).results)
      EXPECT_EQ(keys, Keys());
  }
}

TEST(CommonRows, OfOnePartyAreAllOfItsOwn) {
  SimEngine engine;
  EXPECT_EQ(common(engine, {{"b", "c", "a"}}, {}, "complete").results[0], (Keys{"a", "b", "c"}));
}

TEST(CommonRows, AreRefusedBeforeAnyKeyLeavesIfAPartyBringsTooMany) {
  for (const auto& engine : testing::engines()) {
    Auditor auditor;
    expect_error(ErrorCategory::BadData, {"node 1 brings 21 keys", "at most 20"}, [&] {
      common(*engine, {patients(20), patients(21), patients(5)}, auditor.options(), "line", 20);
    });
    EXPECT_FALSE(auditor.saw(Kind::identifiers));
  }
}

// The sentence of a node program reaches the other parties, so it must not say the key.
TEST(CommonRows, RefuseAKeyThatAPartyHasTwice) {
  SimEngine engine;
  const std::vector<Keys> parties = {{"anna", "bert"}, {"bert", "anna", "bert"}};
  expect_error(ErrorCategory::BadData, {"samples 1 and 3 of node 1 have the same key"},
               [&] { common(engine, parties); });
  try {
    common(engine, parties);
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find("bert"), std::string::npos);
  }
}

}  // namespace
}  // namespace choir
