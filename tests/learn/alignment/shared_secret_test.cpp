#include "choir/learn/alignment/shared_secret.h"

#include "learn/alignment/support.h"
#include <gtest/gtest.h>

#include "choir/base/error.h"
#include "choir/crypto/keyed_hash.h"

namespace choir {
namespace {

Task<std::string> secret_as_text(Node& node) {
  const Secret secret = co_await shared_secret(node);
  co_return std::string(reinterpret_cast<const char*>(secret.bytes().data()), secret.size());
}

Outcome<std::string> secrets(Engine& engine, const char* topology, Index nodes, const RunOptions& run = {}) {
  return run_nodes<std::string>(engine, make_topology(topology, nodes, 0), alignment_contract, run,
                                [](Node& node) { return secret_as_text(node); });
}

TEST(SharedSecret, IsTheSameAtAllNodesAndNobodySeesItTravel) {
  for (const auto& engine : testing::engines()) {
    for (const char* topology : {"star", "tree:2", "complete", "ring:2"}) {
      Auditor auditor;
      const auto outcome = secrets(*engine, topology, 9, auditor.options());
      const std::string secret = outcome.results.front().value();
      EXPECT_EQ(secret.size(), hash_key_bytes);
      for (const auto& other : outcome.results) EXPECT_EQ(other, secret) << topology;
      EXPECT_GT(auditor.bytes(), 9 * 80u);
      EXPECT_FALSE(auditor.saw(secret)) << topology;
      EXPECT_EQ(outcome.report.ledger.total().messages, 2u * 8);
    }
  }
}

TEST(SharedSecret, IsDrawnAnewWhateverTheSeed) {
  SimEngine engine;
  const RunOptions run{.seed = 7};
  EXPECT_NE(secrets(engine, "star", 3, run).results.front(), secrets(engine, "star", 3, run).results.front());
}

TEST(SharedSecret, NeedsNobodyElse) {
  SimEngine engine;
  const auto outcome = secrets(engine, "complete", 1);
  EXPECT_EQ(outcome.results.front()->size(), hash_key_bytes);
  EXPECT_EQ(outcome.report.ledger.total().messages, 0u);
}

}  // namespace
}  // namespace choir
