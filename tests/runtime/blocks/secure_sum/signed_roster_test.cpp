#include "choir/runtime/blocks/secure_sum/signed_roster.h"

#include <algorithm>

#include "message_of.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/runtime/blocks/secure_sum/pair_masks.h"

namespace choir {
namespace {

using ::testing::HasSubstr;

constexpr const char* purpose = "test";
const Contract masking{.method = "test", .kinds = {Kind::masked}};

// Five nodes, and the table of their signed introductions.
struct Group {
  Identities identities = Identities::for_run(masking, 0, 5, 5);
  std::vector<PairMasks> masks;
  Words table = Words(key_record + signature_words, 5);

  Group() {
    for (NodeId node = 0; node < 5; ++node) {
      masks.emplace_back(node, purpose);
      table.col(node) = signed_record(identities.of(node), masks.back().introduction(), purpose);
    }
  }
  SignedRoster roster_of(const Words& told, NodeId reader = 0) const {
    return {WordsView(told.data(), told.rows(), told.cols()), identities.of(reader), purpose};
  }
  std::string refusal_of(ErrorCategory category, const Words& told) const {
    return test::message_of(category, [&] { roster_of(told); });
  }
};

TEST(SignedRoster, HoldsWhatItsNodesHaveSignedInWhateverOrderItCame) {
  const Group group;
  Words reversed = group.table.rowwise().reverse();
  const SignedRoster one = group.roster_of(group.table);
  const SignedRoster other = group.roster_of(reversed, 3);
  EXPECT_EQ(one.nodes(), (std::vector<NodeId>{0, 1, 2, 3, 4}));
  EXPECT_EQ(one.records(), group.table.topRows(key_record));
  EXPECT_EQ(one.records(), other.records());
  EXPECT_EQ(one.hash(), other.hash());
}

// Each word of a record, its signature's included, is one that its node vouches for.
TEST(SignedRoster, RefusesWhatANodeHasNotSigned) {
  const Group group;
  for (Index word = 1; word < group.table.rows(); ++word) {
    Words changed = group.table;
    changed(word, 2) ^= 1;
    EXPECT_THAT(group.refusal_of(ErrorCategory::BadData, changed),
                HasSubstr("node 2, which has not signed it"));
  }
  Words exchanged = group.table;
  exchanged(0, 1) = 2;
  exchanged(0, 2) = 1;
  EXPECT_THAT(group.refusal_of(ErrorCategory::BadData, exchanged), HasSubstr("has not signed it"));
  EXPECT_THAT(test::message_of(ErrorCategory::BadData,
                               [&] {
                                 const WordsView table(group.table.data(), group.table.rows(), 5);
                                 (void)SignedRoster(table, group.identities.of(0), "another purpose");
                               }),
              HasSubstr("has not signed it"));
}

// A table that was right does not vouch for one that is not.
TEST(SignedRoster, ChecksAgainWhatDiffersFromWhatItChecked) {
  const Group group;
  group.roster_of(group.table);
  Words changed = group.table;
  changed(3, 4) ^= 1;
  EXPECT_THAT(group.refusal_of(ErrorCategory::BadData, changed), HasSubstr("has not signed it"));
  EXPECT_THAT(group.refusal_of(ErrorCategory::BadData, changed), HasSubstr("has not signed it")) << "again";
}

TEST(SignedRoster, RefusesNodesThatDoNotExistAreThereTwiceOrMissing) {
  const Group group;
  Words changed = group.table;
  for (const std::int64_t id : {std::int64_t{5}, std::int64_t{-1}, (std::int64_t{1} << 32) + 4}) {
    changed(0, 4) = id;
    EXPECT_THAT(group.refusal_of(ErrorCategory::BadData, changed), HasSubstr("but nodes are 0 to 4"));
  }
  changed.col(4) = group.table.col(3);
  EXPECT_THAT(group.refusal_of(ErrorCategory::BadData, changed),
              HasSubstr("two public keys arrived as that of node 3"));
  const Words some = group.table.rightCols(4);
  EXPECT_THAT(group.refusal_of(ErrorCategory::PeerLost, some),
              HasSubstr("1 of 5 nodes are missing, the first that of node 0"));
  EXPECT_THAT(group.refusal_of(ErrorCategory::BadData, Words(3, 5)), HasSubstr("3 words each"));
}

TEST(SignedRoster, MayLackLessThanHalfOfTheNodesWhereTheRunGoesOn) {
  const Group group;
  for (const Index present : {4, 3}) {
    const Words some = group.table.rightCols(present);
    const WordsView view(some.data(), some.rows(), some.cols());
    const SignedRoster roster(view, group.identities.of(4), purpose, LostPeers::proceed);
    EXPECT_EQ(std::ssize(roster.nodes()), present);
  }
  const Words two = group.table.rightCols(2);
  EXPECT_THAT(test::message_of(ErrorCategory::PeerLost,
                               [&] {
                                 (void)SignedRoster(WordsView(two.data(), two.rows(), 2),
                                                    group.identities.of(4), purpose, LostPeers::proceed);
                               }),
              HasSubstr("3 of 5 nodes are missing"));
}

// A node that signs two keys can tell two nodes different rosters: they then share nothing.
TEST(SignedRoster, MakesOtherSecretsForThoseWhoWereToldAnotherOne) {
  Group group;
  Words other = group.table;
  const PairMasks second(4, purpose);
  other.col(4) = signed_record(group.identities.of(4), second.introduction(), purpose);
  group.masks[0].learn(group.roster_of(group.table, 0), {1, 2});
  group.masks[1].learn(group.roster_of(group.table, 1), {0, 2});
  group.masks[2].learn(group.roster_of(other, 2), {0, 1});
  const auto seed = [&](std::size_t node, NodeId with) {
    const Secret secret = group.masks[node].seed_with(with, 1);
    return std::vector<std::byte>(secret.bytes().begin(), secret.bytes().end());
  };
  EXPECT_EQ(seed(0, 1), seed(1, 0));
  EXPECT_NE(seed(0, 2), seed(2, 0));
  EXPECT_NE(seed(1, 2), seed(2, 1));
  EXPECT_THAT(test::message_of(ErrorCategory::BadData, [&] { seed(0, 3); }), HasSubstr("never received"))
      << "it is none of its partners";
}

}  // namespace
}  // namespace choir
