#include <algorithm>
#include <set>

#include "graph/expect_error.h"
#include "learn/alignment/support.h"
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "choir/learn/alignment/alignment.h"

namespace choir {
namespace {

Outcome<Keys> common(Engine& engine, const std::vector<Keys>& parties, const RunOptions& options = {},
                     const char* topology = "tree:2") {
  return run_nodes<Keys>(
      engine, make_topology(topology, std::ssize(parties), 0), alignment_contract, options,
      [&](Node& node) { return common_keys(node, parties[static_cast<std::size_t>(node.id())]); });
}

Keys in_all(const std::vector<Keys>& parties) {
  std::set<std::string> result(parties.front().begin(), parties.front().end());
  for (const Keys& keys : parties) {
    std::erase_if(result, [&](const std::string& key) { return std::ranges::find(keys, key) == keys.end(); });
  }
  return {result.begin(), result.end()};
}

TEST(CommonKeys, AreThoseThatAllPartiesHaveWhateverTheirOrder) {
  EXPECT_TRUE(rc::check("the same as an intersection of sets in one place", [] {
    const auto key = rc::gen::map(rc::gen::inRange(0, 12), [](int n) { return fmt::format("key {}", n); });
    const auto party = rc::gen::unique<Keys>(key);
    const auto parties =
        *rc::gen::nonEmpty(rc::gen::resize(11, rc::gen::container<std::vector<Keys>>(party)));
    for (const auto& engine : testing::engines()) {
      for (const auto& keys : common(*engine, parties, {}, "complete").results) {
        RC_ASSERT(keys == in_all(parties));
      }
    }
  }));
}

TEST(CommonKeys, AreFoundWithoutTellingAnyAndNoneIsLeftOut) {
  std::vector<Keys> parties(7, patients(60));
  for (std::size_t node = 0; node < parties.size(); ++node)
    parties[node].erase(parties[node].begin() + 3 * node);
  for (const auto& engine : testing::engines()) {
    Auditor auditor;
    const auto outcome = common(*engine, parties, auditor.options());
    EXPECT_FALSE(auditor.saw("patient"));
    for (const auto& keys : outcome.results) EXPECT_EQ(keys, in_all(parties));
    EXPECT_EQ(outcome.results.front()->size(), 53u);
    EXPECT_EQ(outcome.report.ledger.total(Kind::control).messages, 4u * 6);
    EXPECT_EQ(outcome.report.ledger.total().messages, 4u * 6);
  }
}

TEST(CommonKeys, MayBeNone) {
  SimEngine engine;
  for (const auto& keys : common(engine, {{"a", "b"}, {"c"}, {}}).results) EXPECT_EQ(keys, Keys());
}

// The sentence of a node program reaches the other parties, so it must not say the key.
TEST(CommonKeys, RefuseAKeyThatAPartyHasTwice) {
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
