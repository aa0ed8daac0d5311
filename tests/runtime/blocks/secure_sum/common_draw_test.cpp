#include "choir/runtime/blocks/secure_sum/common_draw.h"

#include "message_of.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace choir {
namespace {

using ::testing::HasSubstr;

struct Draw {
  Words commitments = Words(5, 4);
  Words shares = Words(5, 4);

  Draw() {
    for (NodeId node = 0; node < 4; ++node) {
      const DrawShare share = DrawShare::fresh();
      commitments.col(node) = record_of(node, share.commitment(node));
      shares.col(node) = record_of(node, share.bytes);
    }
  }
};

TEST(CommonDraw, IsThatOfAllSharesAndAnotherOneEachTime) {
  const Draw draw;
  EXPECT_EQ(drawn_from(draw.commitments, draw.shares), drawn_from(draw.commitments, draw.shares));
  const Draw again;
  EXPECT_NE(drawn_from(draw.commitments, draw.shares), drawn_from(again.commitments, again.shares));
}

// Who has seen the others' shares would like to take another one.
TEST(CommonDraw, NamesWhoDoesNotShowWhatItCommittedTo) {
  const Draw draw;
  for (Index word = 1; word < 5; ++word) {
    Words changed = draw.shares;
    changed(word, 2) ^= 1;
    EXPECT_THAT(
        test::message_of(ErrorCategory::BadData, [&] { (void)drawn_from(draw.commitments, changed); }),
        HasSubstr("the share of node 2 in the draw of partners is not the one"));
  }
}

// A commitment that is copied from another node would be opened by that node's share.
TEST(CommonDraw, TakesNoShareForThatOfAnotherNode) {
  Draw draw;
  draw.commitments.col(3).tail(4) = draw.commitments.col(1).tail(4);
  draw.shares.col(3).tail(4) = draw.shares.col(1).tail(4);
  EXPECT_THAT(
      test::message_of(ErrorCategory::BadData, [&] { (void)drawn_from(draw.commitments, draw.shares); }),
      HasSubstr("the share of node 3"));
}

TEST(CommonDraw, NamesWhoShowsNothing) {
  const Draw draw;
  const Words some = draw.shares.leftCols(3);
  EXPECT_THAT(test::message_of(ErrorCategory::PeerLost, [&] { (void)drawn_from(draw.commitments, some); }),
              HasSubstr("node 3 does not show its share"));
  const Words fewer = draw.commitments.leftCols(3);
  EXPECT_THAT(test::message_of(ErrorCategory::BadData, [&] { (void)drawn_from(fewer, draw.shares); }),
              HasSubstr("as that of node 3, which has none"));
}

}  // namespace
}  // namespace choir
