#include "choir/learn/features/agreed_seed.h"

#include <set>

#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/runtime/engine.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir {
namespace {

Outcome<std::uint64_t> seeds_of(std::uint64_t seed) {
  const Contract contract{.method = "seed", .kinds = {Kind::control}};
  SimEngine engine;
  return run_nodes<std::uint64_t>(engine, make_topology("line", 5, 0), contract, {.seed = seed},
                                  [](Node& node) { return agreed_seed(node); });
}

TEST(AgreedSeed, IsTheSameAtAllNodesAndCostsOneControlMessageEach) {
  const Outcome<std::uint64_t> outcome = seeds_of(1);
  for (const auto& seed : outcome.results) EXPECT_EQ(seed, outcome.results.front());
  EXPECT_EQ(outcome.report.ledger.total(Kind::control).messages, 4u);
}

TEST(AgreedSeed, IsAnotherInARunWithAnotherSeedAndTheSameInARunWithTheSame) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto agreed = seeds_of(seed).results.front();
    EXPECT_EQ(agreed, seeds_of(seed).results.front());
    seen.insert(*agreed);
  }
  EXPECT_EQ(seen.size(), 20u);
}

}  // namespace
}  // namespace choir
