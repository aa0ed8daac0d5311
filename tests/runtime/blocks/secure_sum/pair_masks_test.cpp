#include "choir/runtime/blocks/secure_sum/pair_masks.h"

#include <algorithm>
#include <limits>

#include "message_of.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace choir {
namespace {

using ::testing::HasSubstr;

void introduce(const Words& table, PairMasks& to) {
  to.learn(WordsView(table.data(), table.rows(), table.cols()));
}

// Nodes that know each other's keys.
std::vector<PairMasks> acquainted(NodeId nodes, const std::string& purpose = "test") {
  std::vector<PairMasks> all;
  Words table(key_record, nodes);
  for (NodeId node = 0; node < nodes; ++node) {
    all.emplace_back(node, purpose);
    table.col(node) = all.back().introduction();
  }
  for (PairMasks& masks : all) introduce(table, masks);
  return all;
}

std::vector<std::int64_t> zeros() { return std::vector<std::int64_t>(64, 0); }

std::vector<std::int64_t> mask_of(PairMasks& masks, std::uint64_t number, const std::vector<NodeId>& others) {
  std::vector<std::int64_t> words = zeros();
  masks.hide(words, number, others);
  return words;
}

TEST(PairMasks, CancelInTheSumOfAllAndInNoOther) {
  std::vector<PairMasks> nodes = acquainted(3);
  std::vector<std::int64_t> sum = zeros();
  add_words(sum, mask_of(nodes[0], 7, {1, 2}));
  add_words(sum, mask_of(nodes[1], 7, {0, 2}));
  EXPECT_EQ(std::ranges::count(sum, 0), 0) << "without node 2 nothing is seen";
  add_words(sum, mask_of(nodes[2], 7, {0, 1}));
  EXPECT_EQ(sum, zeros());
}

TEST(PairMasks, AreDifferentForEveryNumberAndPurpose) {
  std::vector<PairMasks> nodes = acquainted(2);
  EXPECT_EQ(mask_of(nodes[0], 1, {1}), mask_of(nodes[0], 1, {1}));
  EXPECT_NE(mask_of(nodes[0], 1, {1}), mask_of(nodes[0], 2, {1}));
  PairMasks one(0, "one purpose");
  PairMasks other(1, "another purpose");
  introduce(other.introduction(), one);
  introduce(one.introduction(), other);
  std::vector<std::int64_t> sum = mask_of(one, 1, {1});
  add_words(sum, mask_of(other, 1, {0}));
  EXPECT_NE(sum, zeros()) << "the same keys, but not the same secret";
}

TEST(PairMasks, RefuseKeysThatChange) {
  std::vector<PairMasks> nodes = acquainted(2);
  const PairMasks impostor(1, "test");
  EXPECT_THAT(test::message_of(ErrorCategory::BadData, [&] { introduce(impostor.introduction(), nodes[0]); }),
              HasSubstr("a public key of node 1 that differs from the known one"));
  const PairMasks double_of_itself(0, "test");
  EXPECT_THAT(test::message_of([&] { introduce(double_of_itself.introduction(), nodes[0]); }),
              HasSubstr("a public key of node 0 that differs"));
  introduce(nodes[1].introduction(), nodes[0]);  // the same key again is no news
}

TEST(PairMasks, NeedTheKeyOfTheOther) {
  PairMasks alone(3, "test");
  EXPECT_THAT(test::message_of(ErrorCategory::BadData, [&] { mask_of(alone, 1, {5}); }),
              HasSubstr("a mask with node 5, whose public key it never received"));
}

TEST(PairMasks, WordsAreAddedModuloTheirSize) {
  std::vector<std::int64_t> total = {std::numeric_limits<std::int64_t>::max(), 1};
  add_words(total, std::vector<std::int64_t>{1, -1});
  EXPECT_EQ(total, (std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::min(), 0}));
}

}  // namespace
}  // namespace choir
