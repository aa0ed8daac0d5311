#include "choir/runtime/blocks/secure_sum/secure_sum.h"

#include <algorithm>
#include <limits>
#include <mutex>

#include "message_of.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/rng.h"
#include "choir/graph/topology.h"
#include "choir/runtime/engine.h"
#include "choir/runtime/local/local_engine.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir {
namespace {

const Contract secure_contract{.method = "secure sum",
                               .kinds = {Kind::own_statistics, Kind::masked, Kind::totals, Kind::control}};

Matrix summand(NodeId node) {
  Rng random(static_cast<std::uint64_t>(node), Purpose("summand"));
  Matrix values = Matrix::NullaryExpr(3, 5, [&] { return random.normal(); });
  values.row(1) *= 1e12;
  values.row(2) *= 1e-12;
  return values;
}

Task<Matrix> add_up(Node& node) {
  SecureSums sums = co_await open_secure_sums(node);
  Matrix first = summand(node.id());
  const Matrix total = co_await secure_sum(node, sums, std::move(first));
  Matrix again = summand(node.id());
  const Matrix repeated = co_await secure_sum(node, sums, std::move(again));
  EXPECT_EQ(total, repeated);  // under other masks
  co_return total;
}

Matrix truth(Index nodes) {
  Matrix sum = Matrix::Zero(3, 5);
  for (NodeId node = 0; node < nodes; ++node) sum += summand(node);
  return sum;
}

TEST(SecureSum, IsTheSumAtEveryNodeWhateverTheNumberOfNodes) {
  for (const Index nodes : {1, 2, 5, 40, 64, 65, 80}) {
    LocalEngine engine({.threads = 2});
    const auto outcome =
        run_nodes<Matrix>(engine, make_topology("tree:2", nodes, 0), secure_contract, {}, add_up);
    const Matrix expected = truth(nodes);
    for (const auto& total : outcome.results) {
      ASSERT_TRUE(total);
      for (Index row = 0; row < 3; ++row)
        EXPECT_LE((total->row(row) - expected.row(row)).norm(), 1e-13 * expected.row(row).norm() + 1e-26);
      EXPECT_EQ(*total, *outcome.results.front());
    }
  }
}

TEST(SecureSum, HasTheSameBitsOnAnotherEngine) {
  const Graph ring = make_topology("ring:2", 6, 0);
  LocalEngine local({.threads = 2});
  SimEngine sim;
  const auto here = run_nodes<Matrix>(local, ring, secure_contract, {}, add_up);
  const auto there = run_nodes<Matrix>(sim, ring, secure_contract, {}, add_up);
  EXPECT_EQ(*here.results[3], *there.results[3]);
}

// What a parent receives must not be what its child holds.
TEST(SecureSum, ShowsNobodyASummand) {
  std::mutex mutex;
  std::vector<std::vector<std::int64_t>> seen;
  RunOptions options;
  options.audit = [&](NodeId, NodeId, const Message& message) {
    if (message.kind() != Kind::masked || message.arrays().empty()) return;
    if (message.array(0).type() != ArrayType::int64) return;
    const auto words = message.array(0).integers();
    const std::lock_guard lock(mutex);
    seen.emplace_back(words.data(), words.data() + words.size());
  };
  LocalEngine engine({.threads = 1});
  const auto outcome =
      run_nodes<Matrix>(engine, make_topology("star", 5, 0), secure_contract, options, add_up);
  ASSERT_EQ(seen.size(), 8u);  // four leaves, two sums
  // The same summands under two masks have no word in common, and no word is small: the last one, 1 at every
  // node, would be.
  std::vector<std::int64_t> words;
  for (const auto& each : seen) words.insert(words.end(), each.begin(), each.end());
  std::ranges::sort(words);
  EXPECT_EQ(std::ranges::adjacent_find(words), words.end());
  EXPECT_TRUE(std::ranges::none_of(words, [](std::int64_t word) { return word >= 0 && word < (1 << 20); }));
}

TEST(SecureSum, RefusesWhatIsNoNumber) {
  LocalEngine engine({.threads = 1});
  const auto sum_of_nan = [](Node& node) -> Task<Matrix> {
    SecureSums sums = co_await open_secure_sums(node);
    Matrix mine = Matrix::Constant(1, 1, std::numeric_limits<double>::quiet_NaN());
    co_return co_await secure_sum(node, sums, std::move(mine));
  };
  EXPECT_THAT(test::message_of([&] {
                run_nodes<Matrix>(engine, make_topology("ring:2", 3, 0), secure_contract, {}, sum_of_nan);
              }),
              ::testing::HasSubstr("not finite numbers"));
}

// A word that is 1 at every node shows that somebody is missing.
TEST(SecureSum, OpensNothingWithoutANode) {
  LocalEngine engine({.threads = 1});
  const auto without_one = [](Node& node) -> Task<Matrix> {
    SecureSums sums = co_await open_secure_sums(node);
    if (node.id() == 3) co_return Matrix();
    Matrix mine = Matrix::Ones(1, 1);
    co_return co_await secure_sum(node, sums, std::move(mine));
  };
  RunOptions options;
  options.lost_peers = LostPeers::proceed;
  EXPECT_THAT(test::message_of([&] {
                run_nodes<Matrix>(engine, make_topology("star", 5, 0), secure_contract, options, without_one);
              }),
              ::testing::HasSubstr("nothing was unmasked"));
}

}  // namespace
}  // namespace choir
