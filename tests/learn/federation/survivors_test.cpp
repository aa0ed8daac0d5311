#include "choir/learn/federation/survivors.h"

#include "graph/expect_error.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

using testing::expect_error;

const Contract signing{.method = "test", .kinds = {Kind::masked}};

// Ten devices, all asked, of which eight answered.
struct Council {
  Identities identities = Identities::for_run(signing, 0, 10, 10);
  Survivors survivors{
      .number = 7, .asked = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, .answered = {0, 1, 2, 3, 4, 5, 6, 7}};

  Words signatures(const std::vector<NodeId>& signers, const Survivors& of) const {
    Words table(survivors_record, std::ssize(signers));
    for (std::size_t i = 0; i < signers.size(); ++i)
      table.col(static_cast<Index>(i)) = signed_record(identities.of(signers[i]), signers[i], of);
    return table;
  }
  void require(const Words& table, const Survivors& told) const {
    require_signed(WordsView(table.data(), table.rows(), table.cols()), told, identities.of(1), 10);
  }
};

// Two sets that both have a quorum share an honest signer, whatever the devices in league sign.
TEST(Quorum, OfTwoSetsHaveAnHonestDeviceInCommon) {
  EXPECT_EQ(quorum(30, 30), 19);
  for (Index roster = 2; roster <= 400; ++roster) {
    for (Index asked = 2; asked <= roster; ++asked) {
      EXPECT_GT(2 * quorum(asked, roster), asked + most_colluding(roster));
      EXPECT_LE(2 * (quorum(asked, roster) - 1), asked + most_colluding(roster)) << "smallest";
    }
  }
}

TEST(Survivors, AreThoseThatAQuorumHasSigned) {
  const Council council;
  const Survivors& told = council.survivors;
  council.require(council.signatures({0, 1, 2, 3, 4, 5, 6, 7}, told), told);
  council.require(council.signatures({0, 1, 2, 3, 4, 5, 7}, told), told);
  expect_error(ErrorCategory::BadData, {"with the signatures of 6 devices, and 7 must agree"}, [&] {
    council.require(council.signatures({0, 1, 2, 3, 4, 5}, told), told);
  });
}

TEST(Survivors, AreNotThoseOfAnotherStatement) {
  const Council council;
  const std::vector<NodeId> signers = {0, 1, 2, 3, 4, 5, 6};
  const Words table = council.signatures(signers, council.survivors);
  for (int change = 0; change < 4; ++change) {
    Survivors other = council.survivors;
    if (change == 0) other.number = 8;
    if (change == 1) other.asked.pop_back();
    if (change == 2) other.answered.push_back(8);
    if (change == 3) other.roster[5] = std::byte{1};
    expect_error(ErrorCategory::BadData, {"device 0 has not signed"}, [&] { council.require(table, other); });
  }
}

TEST(Survivors, SignOnceEachAndNotForOthers) {
  const Council council;
  const Survivors& told = council.survivors;
  expect_error(ErrorCategory::BadData, {"device 3 has not signed"}, [&] {
    council.require(council.signatures({0, 1, 2, 3, 3, 3, 3}, told), told);
  });
  expect_error(ErrorCategory::BadData, {"device 9 has not signed"}, [&] {
    council.require(council.signatures({0, 1, 2, 3, 4, 5, 9}, told), told);
  });
  Words forged = council.signatures({0, 1, 2, 3, 4, 5, 6}, told);
  forged(0, 6) = 7;
  expect_error(ErrorCategory::BadData, {"device 7 has not signed"}, [&] { council.require(forged, told); });
}

}  // namespace
}  // namespace choir
