#include "choir/runtime/ledger.h"

#include <gtest/gtest.h>

#include "choir/graph/regular.h"

namespace choir {
namespace {

// 0 - 1 - 2, with 1 in the middle: its positions are 0 (node 0) and 1 (node 2).
Ledger counted_by_hand() {
  Ledger ledger(line_graph(3), {Kind::own_statistics, Kind::raw_samples});
  ledger.count(0, 0, Kind::own_statistics, 40);
  ledger.count(0, 0, Kind::own_statistics, 48);
  ledger.count(1, 0, Kind::own_statistics, 100);
  ledger.count(1, 1, Kind::raw_samples, 1000);
  ledger.count(2, 0, Kind::raw_samples, 7);
  return ledger;
}

TEST(Ledger, AddsUpPerLinkPerNodeAndInAll) {
  const Ledger ledger = counted_by_hand();
  EXPECT_EQ(ledger.link(0, 0, Kind::own_statistics), (Traffic{2, 88}));
  EXPECT_EQ(ledger.link(1, 0, Kind::own_statistics), (Traffic{1, 100}));
  EXPECT_EQ(ledger.link(1, 1, Kind::own_statistics), Traffic());
  EXPECT_EQ(ledger.link(1, 1, Kind::raw_samples), (Traffic{1, 1000}));
  EXPECT_EQ(ledger.sent_by(1), (Traffic{2, 1100}));
  EXPECT_EQ(ledger.sent_by(1, Kind::raw_samples), (Traffic{1, 1000}));
  EXPECT_EQ(ledger.sent_by(2), (Traffic{1, 7}));
  EXPECT_EQ(ledger.total(Kind::own_statistics), (Traffic{3, 188}));
  EXPECT_EQ(ledger.total(Kind::raw_samples), (Traffic{2, 1007}));
  EXPECT_EQ(ledger.total(), (Traffic{5, 1195}));
}

TEST(Ledger, AKindThatMayNotBeSentWasNot) {
  const Ledger ledger = counted_by_hand();
  EXPECT_EQ(ledger.total(Kind::coefficients), Traffic());
  EXPECT_EQ(ledger.sent_by(0, Kind::control), Traffic());
  EXPECT_EQ(ledger.link(1, 1, Kind::features), Traffic());
}

TEST(Ledger, ComparesEntryByEntry) {
  Ledger other = counted_by_hand();
  EXPECT_EQ(other, counted_by_hand());
  other.count(2, 0, Kind::raw_samples, 0);
  EXPECT_NE(other, counted_by_hand());
}

TEST(Ledger, HasOneEntryForEachDirectionAndDeclaredKind) {
  EXPECT_EQ(counted_by_hand().entries().size(), 4u * 2u);
  EXPECT_EQ(counted_by_hand().nodes(), 3);
  EXPECT_EQ(Ledger(complete_graph(5), {}).total(), Traffic());
}

}  // namespace
}  // namespace choir
