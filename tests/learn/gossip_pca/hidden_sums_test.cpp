// Sums along a tree in which somebody may be missing, and of which nobody sees a part.
#include "choir/learn/gossip_pca/hidden_sums.h"

#include <set>

#include "learn/gossip_pca/toy.h"
#include <gtest/gtest.h>

#include "choir/base/rng.h"
#include "choir/graph/topology.h"
#include "choir/runtime/engine.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir::gossip_pca {
namespace {

const Contract hidden_contract{.method = "hidden sums", .kinds = {Kind::masked, Kind::totals, Kind::control}};

Matrix numbers_of(NodeId node, Index rows = 6) {
  Rng random(static_cast<std::uint64_t>(node), Purpose("hidden sums"));
  return Matrix::NullaryExpr(rows, 2, [&] { return 1e5 * random.normal(); });
}

struct Scene {
  std::set<NodeId> out_of_step = {};  // have masked a sum that nobody else knows of
  NodeId with_fewer_rows = -1;
};

// The total at the root; empty elsewhere, and where nothing was opened.
Task<Matrix> two_sums(Node& node, Scene scene) {
  const Conversation talk(node, Patience());
  std::optional<SecureSums> sums = co_await introduce(talk);
  if (scene.out_of_step.contains(node.id())) ++sums->masks->number;
  Matrix first = numbers_of(node.id(), node.id() == scene.with_fewer_rows ? 5 : 6);
  const std::optional<Matrix> once = co_await add_up(talk, *sums, std::move(first));
  if (!once) {
    talk.refuse();
    co_return Matrix();
  }
  Matrix second = numbers_of(node.id());
  const std::optional<Matrix> again = co_await add_up(talk, *sums, std::move(second));
  EXPECT_EQ(once, again);
  co_return *again;
}

Outcome<Matrix> sums_of(Index nodes, const Scene& scene, const RunOptions& run = {}) {
  SimEngine engine;
  return run_nodes<Matrix>(engine, make_topology("tree:2", nodes, 0), hidden_contract, run,
                           [&](Node& node) { return two_sums(node, scene); });
}

TEST(HiddenSums, AreThoseOfAllNodesAtTheRootAlone) {
  for (const Index nodes : {1, 2, 9, 70}) {
    const Outcome<Matrix> outcome = sums_of(nodes, {});
    Matrix truth = Matrix::Zero(6, 2);
    for (NodeId node = 0; node < nodes; ++node) truth += numbers_of(node);
    EXPECT_LE((*outcome.results[0] - truth).norm(), 1e-13 * truth.norm());
    for (NodeId node = 1; node < nodes; ++node)
      EXPECT_EQ(outcome.results[static_cast<std::size_t>(node)]->size(), 0);
  }
}

// The contract of these runs does not even declare own_statistics; and no masked word is small.
TEST(HiddenSums, SendOnlyWordsUnderMasks) {
  Index words = 0;
  RunOptions run;
  run.audit = [&](NodeId, NodeId, const Message& message) {
    if (message.kind() != Kind::masked) return;
    for (const std::int64_t word : message.array(0).integers().reshaped()) {
      ++words;
      EXPECT_GT(word < 0 ? -(word + 1) : word, 1 << 20);
    }
  };
  sums_of(9, {}, run);
  EXPECT_GT(words, 2 * 8 * 12);
}

TEST(HiddenSums, OpenNothingIfMasksDoNotCancel) {
  for (const NodeId node : {0, 4, 8}) {
    const Outcome<Matrix> outcome = sums_of(9, {.out_of_step = {node}});
    EXPECT_EQ(outcome.results[0]->size(), 0);
  }
}

TEST(HiddenSums, OfAnotherSizeAreNamed) {
  expect_error(ErrorCategory::BadData, {"node 4", "11 masked words where 13"},
               [] { sums_of(9, {.with_fewer_rows = 4}); });
}

}  // namespace
}  // namespace choir::gossip_pca
