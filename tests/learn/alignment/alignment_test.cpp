#include "choir/learn/alignment/alignment.h"

#include <algorithm>

#include "graph/expect_error.h"
#include "learn/alignment/support.h"
#include <gtest/gtest.h>

#include "choir/base/rng.h"

namespace choir {
namespace {

constexpr Index nodes = 9;

SampleOrder order_of(Keys keys) {
  const Index samples = std::ssize(keys);
  return {.keys = std::move(keys), .samples = samples};
}

std::vector<SampleOrder> aligned(Index samples) {
  return std::vector<SampleOrder>(static_cast<std::size_t>(nodes), order_of(patients(samples)));
}

TEST(SampleOrder, IsWhatIsKnownAboutIt) {
  EXPECT_EQ(SampleOrder::known_from({"ada", "ben"}, 2, true).keys, (Keys{"ada", "ben"}));
  EXPECT_EQ(SampleOrder::known_from({}, 2, false).keys, (Keys{"0", "1"})) << "rows of one file";
  EXPECT_TRUE(SampleOrder::known_from({}, 2, true).keys.empty()) << "the user answers for it";
  EXPECT_EQ(SampleOrder::known_from({}, 2, true).samples, 2);
}

// A method in miniature: nothing but control may leave before the orders were compared.
Task<bool> align_and_send(Node& node, SampleOrder order) {
  co_await require_same_order(node, order);
  Message features(Kind::features);
  features.number(static_cast<double>(node.id()));
  const Inbox inbox = co_await node.exchange(features, node.deadline());
  co_return inbox.size() == node.neighbors().size();
}

Outcome<bool> run(Engine& engine, const std::vector<SampleOrder>& orders, const RunOptions& options = {},
                  const char* topology = "tree:2") {
  const Contract contract{.method = "alignment", .kinds = {Kind::control, Kind::identifiers, Kind::features}};
  return run_nodes<bool>(
      engine, make_topology(topology, std::ssize(orders), 0), contract, options,
      [&](Node& node) { return align_and_send(node, orders[static_cast<std::size_t>(node.id())]); });
}

void expect_refused(const std::vector<SampleOrder>& orders, std::initializer_list<const char*> words) {
  for (const auto& engine : testing::engines()) {
    Auditor auditor;
    expect_error(ErrorCategory::BadData, words, [&] { run(*engine, orders, auditor.options()); });
    EXPECT_TRUE(auditor.saw(Kind::control));
    EXPECT_FALSE(auditor.saw(Kind::features)) << "something left before the orders were compared";
  }
}

TEST(SameOrder, LetsPartiesInStepGoOn) {
  for (const auto& engine : testing::engines()) {
    for (const char* topology : {"star", "tree:2", "complete", "ring:2"}) {
      Auditor auditor;
      const auto outcome = run(*engine, aligned(50), auditor.options(), topology);
      for (const auto& went_on : outcome.results) EXPECT_EQ(went_on, true);
      EXPECT_TRUE(auditor.saw(Kind::features));
      EXPECT_EQ(outcome.report.ledger.total(Kind::control).messages, 3u * (nodes - 1));
      EXPECT_EQ(outcome.report.ledger.total(Kind::identifiers).messages, 2u * (nodes - 1));
    }
  }
}

TEST(SameOrder, IsFoundOutWithoutTellingAnyKey) {
  for (const auto& engine : testing::engines()) {
    Auditor auditor;
    run(*engine, aligned(50), auditor.options());
    EXPECT_FALSE(auditor.saw("patient"));
  }
}

TEST(SameOrder, RefusesAnyOtherOrderBeforeAnythingElseIsSent) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    std::vector<SampleOrder> orders = aligned(20);
    Keys shuffled;
    for (const Index n : Rng(seed, Purpose("shuffle")).permutation(20)) {
      shuffled.push_back(orders[4].keys[static_cast<std::size_t>(n)]);
    }
    ASSERT_NE(shuffled, orders[4].keys);
    orders[4].keys = shuffled;
    expect_refused(orders, {"node 4 has different samples, or the same samples in another order", "--key"});
  }
}

TEST(SameOrder, RefusesTwoSwappedSamplesAndOneOtherSample) {
  std::vector<SampleOrder> orders = aligned(20);
  std::swap(orders[8].keys[18], orders[8].keys[19]);
  orders[2].keys[7] += "a";
  expect_refused(orders, {"node 2 has different", "; node 8 has different"});
}

TEST(SameOrder, RefusesOtherNumbersOfSamples) {
  std::vector<SampleOrder> orders = aligned(20);
  orders[3] = order_of(patients(19));
  expect_refused(orders, {"node 0, which has 20", "node 3 has 19 samples"});
  std::vector<SampleOrder> assumed(nodes, SampleOrder::assumed(20));
  assumed[3].samples = 21;
  expect_refused(assumed, {"node 3 has 21 samples"});
}

TEST(SameOrder, ThatIsAssumedIsNotCompared) {
  SimEngine engine;
  const auto outcome = run(engine, std::vector<SampleOrder>(nodes, SampleOrder::assumed(20)));
  for (const auto& went_on : outcome.results) EXPECT_EQ(went_on, true);
  EXPECT_EQ(outcome.report.ledger.total(Kind::identifiers).messages, 0u);
}

TEST(SameOrder, IsRefusedIfOnlySomeHaveKeys) {
  std::vector<SampleOrder> orders = aligned(20);
  orders[5] = SampleOrder::assumed(20);
  expect_refused(orders, {"node 5 has no keys"});
  orders = std::vector<SampleOrder>(nodes, SampleOrder::assumed(20));
  orders[5] = order_of(patients(20));
  expect_refused(orders, {"node 5 has keys for its samples, but node 0 has none"});
}

TEST(SameOrder, NamesAFewAndCountsTheRest) {
  std::vector<SampleOrder> orders = aligned(20);
  for (std::size_t node = 1; node < orders.size(); ++node) std::ranges::reverse(orders[node].keys);
  expect_refused(orders, {"node 1 has", "node 2 has", "node 5 has", "and 3 more nodes differ"});
}

TEST(SameOrder, NeedsAKeyForEverySample) {
  SimEngine engine;
  std::vector<SampleOrder> orders = aligned(20);
  orders[1].samples = 21;
  expect_error(ErrorCategory::InvalidArgument, {"node 1 has 21 samples but 20 keys"},
               [&] { run(engine, orders); });
}

TEST(SampleOrder, OfRowsOfOneFileIsTheirNumbers) {
  EXPECT_EQ(SampleOrder::numbered(3).keys, (Keys{"0", "1", "2"}));
  EXPECT_EQ(SampleOrder::numbered(3).samples, 3);
}

}  // namespace
}  // namespace choir
