#include "choir/runtime/blocks/secure_sum/secure_sum.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <mutex>
#include <utility>

#include "message_of.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/rng.h"
#include "choir/graph/topology.h"
#include "choir/runtime/blocks/secure_sum/signed_roster.h"
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
  ASSERT_EQ(seen.size(),
            32u);  // four leaves, two sums, each after three digits of what it needs to be scaled
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

TEST(SecureSum, WithALimitTakesOneMessageUpAndIsRefusedAboveIt) {
  LocalEngine engine({.threads = 1});
  const auto bounded = [](double limit) {
    return [limit](Node& node) -> Task<Matrix> {
      Matrix mine = summand(node.id());
      mine.row(1) *= 1e-12;
      co_return co_await secure_sum(node, std::move(mine), limit);
    };
  };
  const Graph star = make_topology("star", 5, 0);
  const auto outcome = run_nodes<Matrix>(engine, star, secure_contract, {}, bounded(10));
  Matrix expected = truth(5);
  expected.row(1) *= 1e-12;
  EXPECT_LE((*outcome.results[2] - expected).norm(), 1e-14);
  EXPECT_EQ(outcome.report.ledger.total(Kind::masked).messages, 4u);
  EXPECT_THAT(test::message_of([&] { run_nodes<Matrix>(engine, star, secure_contract, {}, bounded(0.01)); }),
              ::testing::HasSubstr("0.01"));
}

// Rows that are long have limits of their own; in short ones, and in columns, an entry may be 10^24 times
// smaller than another.
TEST(SecureSum, IsExactForEntriesOfAllSizesAndShapes) {
  for (const auto& [rows, columns] : {std::pair<Index, Index>{2, 40}, {40, 1}, {1, 1}, {0, 30}, {4, 0}}) {
    const auto mine = [rows = rows, columns = columns](NodeId node) {
      Rng random(static_cast<std::uint64_t>(node), Purpose("sizes"));
      Matrix values = Matrix::NullaryExpr(rows, columns, [&] { return random.normal(); });
      if (rows > 0) values.row(0) *= 1e24;
      return values;
    };
    LocalEngine engine({.threads = 1});
    const auto outcome = run_nodes<Matrix>(engine, make_topology("line", 3, 0), secure_contract, {},
                                           [&](Node& node) { return secure_sum(node, mine(node.id())); });
    const Matrix expected = mine(0) + mine(1) + mine(2);
    ASSERT_EQ(outcome.results[1]->rows(), rows);
    ASSERT_EQ(outcome.results[1]->cols(), columns);
    for (Index row = 0; row < rows; ++row)
      EXPECT_LE((outcome.results[1]->row(row) - expected.row(row)).norm(), 1e-14 * expected.row(row).norm());
  }
}

TEST(SecureSum, FindsLimitsOfAllNodesRows) {
  LocalEngine engine({.threads = 1});
  const auto outcome = run_nodes<Vector>(engine, make_topology("line", 3, 0), secure_contract, {},
                                         [](Node& node) -> Task<Vector> {
                                           Matrix mine(2, 2);
                                           mine << 1, -100.0 * node.id(), 0, 0;
                                           co_return co_await secure_limits(node, std::move(mine));
                                         });
  for (const auto& limits : outcome.results) {
    EXPECT_GT((*limits)(0), 200);
    EXPECT_LE((*limits)(0), 200 * 32);
    EXPECT_LT((*limits)(1), 1e-300);
  }
}

// A node on the way that does what it likes with keys. Node 1 of the line 0 - 1 - 2 - 3. It stays, so that
// who finds it out is the first to say something.
using Falsify = std::function<Words(Node&, Words table)>;
constexpr Duration until_found_out = std::chrono::seconds(1);

Task<Matrix> pass_on_keys(Node& node, Falsify falsify) {
  const Channel channel = node.open_reliable_channel();
  const std::optional<Received> from_child = co_await node.receive_from(2, channel, node.deadline());
  Words table = from_child->message.array(0).integers();
  Message up = table_message(falsify(node, std::move(table)));
  up.on(channel, 0);
  node.send(0, up);
  co_await node.sleep(until_found_out);
  co_return Matrix();
}

std::string end_of_a_run_with(const Falsify& falsify) {
  SimEngine engine;
  return test::message_of([&] {
    run_nodes<Matrix>(engine, make_topology("line", 4, 0), secure_contract, {},
                      [&](Node& node) -> Task<Matrix> {
                        if (node.id() == 1) return pass_on_keys(node, falsify);
                        return secure_sum(node, Matrix::Ones(1, 1));
                      });
  });
}

TEST(SecureSum, ARelayThatReplacesAKeyIsRefused) {
  const auto with_own_key = [](Node& node, Words table) {
    const PairMasks own(node.id(), "masked sums of a network");
    Words all(table.rows(), table.cols() + 1);
    all << table, table.col(0);
    all(0, all.cols() - 1) = node.id();
    // Instead of node 3's: the relay knows the secret half.
    const Words false_key = own.introduction().bottomRows(4);
    all.block(1, 1, 4, 1) = false_key;
    return all;
  };
  const std::string end = end_of_a_run_with(with_own_key);
  EXPECT_THAT(end, ::testing::HasSubstr("has not signed it"));
}

TEST(SecureSum, ARelayThatLeavesOutAKeyIsRefused) {
  const std::string end = end_of_a_run_with([](Node&, Words table) { return Words(table.leftCols(1)); });
  EXPECT_THAT(end, ::testing::HasSubstr("of 2 of 4 nodes are missing"));
}

// Node 1 signs two keys, and tells those below it another roster than those above: nobody's masks cancel.
Task<Matrix> tell_two_rosters(Node& node) {
  const Channel keys = node.open_reliable_channel();
  const std::optional<Received> from_child = co_await node.receive_from(2, keys, node.deadline());
  const Words below = from_child->message.array(0).integers();
  const auto with_a_key_of_mine = [&](const Words& others) {
    const PairMasks own(node.id(), "masked sums of a network");
    Words content(below.rows() - signature_words, 1);
    content << own.introduction(), Words::Zero(content.rows() - key_record, 1);
    Words all(others.rows(), others.cols() + 1);
    all << others, signed_record(node.identity(), content, "masked sums of a network");
    return all;
  };
  Message up = table_message(with_a_key_of_mine(below));
  up.on(keys, 0);
  node.send(0, up);
  const std::optional<Received> from_parent = co_await node.receive_from(0, keys, node.deadline());
  const Words all = from_parent->message.array(0).integers();
  Words changed(all.rows(), 0);
  for (Index i = 0; i < all.cols(); ++i) {
    if (all(0, i) == node.id()) continue;
    changed.conservativeResize(Eigen::NoChange, changed.cols() + 1);
    changed.rightCols(1) = all.col(i);
  }
  Message down = table_message(with_a_key_of_mine(changed));
  down.on(keys, 0);
  node.send(2, down);
  // The sum itself it passes on as it came, with nothing of its own.
  const Channel sum = node.open_reliable_channel();
  const std::optional<Received> words = co_await node.receive_from(2, sum, node.deadline());
  Message hidden(Kind::masked);
  hidden.array(words->message.array(0)).on(sum, 0);
  node.send(0, hidden);
  co_await node.sleep(until_found_out);
  co_return Matrix();
}

TEST(SecureSum, OpensNothingForNodesThatWereToldDifferentRosters) {
  SimEngine engine;
  const std::string end = test::message_of(ErrorCategory::PeerLost, [&] {
    run_nodes<Matrix>(engine, make_topology("line", 4, 0), secure_contract, {},
                      [&](Node& node) -> Task<Matrix> {
                        if (node.id() == 1) return tell_two_rosters(node);
                        return secure_sum(node, Matrix::Ones(1, 1), 1);
                      });
  });
  EXPECT_THAT(end, ::testing::HasSubstr("told others different keys; nothing was unmasked"));
}

}  // namespace
}  // namespace choir
