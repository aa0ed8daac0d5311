// Totals subtract. Whoever has a part of a total knows the rest of it, and two totals over nearly the same
// samples are one over the difference. Masks do not change that; docs/threat-model.md says whom it concerns.
#include "attack/view.h"
#include "learn/central/toy.h"
#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/learn/features/network_gaussian.h"
#include "choir/linalg/columns.h"
#include "choir/runtime/engines.h"

namespace choir::testing_attack {
namespace {

using testing_toys::falling_scales;

constexpr Index columns_of_all = 4;
constexpr double rounding = 1e-9;

// Of all samples, as every node knows it: with --share landmarks, with zscore, with gamma scale.
Vector sum_told_to_all(const std::vector<Samples>& shards) {
  const Contract contract{.method = "mean",
                          .kinds = {Kind::own_statistics, Kind::masked, Kind::totals, Kind::control}};
  const auto outcome =
      run_nodes<NetworkGaussian>(*make_engine("sim"), make_topology("line", std::ssize(shards), 0), contract,
                                 {}, [&](Node& node) -> Task<NetworkGaussian> {
                                   SecureSums sums = co_await open_secure_sums(node);
                                   const Array shard(shards[static_cast<std::size_t>(node.id())]);
                                   const NetworkGaussian found = co_await agreed_gaussian(node, sums, shard);
                                   co_return found;
                                 });
  const NetworkGaussian& found = *outcome.results.back();
  return static_cast<double>(found.samples) * found.mean;
}

Vector sum_of(const Samples& samples) { return samples.rowwise().sum(); }

TEST(Subtraction, OfTheOwnPartShowsTheOnlyOtherNodeAndOfSeveralOthersTheirSum) {
  const Samples own = falling_scales(columns_of_all, 40, 1);
  const Samples single = falling_scales(columns_of_all, 1, 2);
  EXPECT_EQ(recovered(single, sum_told_to_all({own, single}) - sum_of(own), rounding), 1);

  const Samples third = falling_scales(columns_of_all, 1, 3);
  const Vector rest = sum_told_to_all({own, single, third}) - sum_of(own);
  const std::vector<Samples> others = {single, third};
  EXPECT_EQ(recovered(side_by_side(others), rest, 0.05), 0);
  EXPECT_EQ(recovered(side_by_side(others), rest / 2, 0.05), 0);
  EXPECT_EQ(recovered(sum_of(side_by_side(others)), rest, rounding), 1) << "their sum is what it is";
}

TEST(Subtraction, OfTwoRunsShowsWhoJoinedBetweenThemAndOfOneRunNobody) {
  const Samples first = falling_scales(columns_of_all, 40, 1);
  const Samples before = falling_scales(columns_of_all, 30, 2);
  const Samples third = falling_scales(columns_of_all, 30, 3);
  Samples after(columns_of_all, 31);
  after << before, falling_scales(columns_of_all, 1, 4);
  const Samples joined = after.rightCols(1);
  const Vector earlier = sum_told_to_all({first, before, third});
  const Vector later = sum_told_to_all({first, after, third});
  EXPECT_EQ(recovered(joined, later - earlier, rounding), 1);
  EXPECT_EQ(recovered(joined, later / 101, 0.05), 0);
}

// Membership, without --privacy: who knows all samples but one sees whether that one is there.
TEST(Subtraction, OfAllOtherSamplesShowsWhetherAPersonIsThere) {
  const Samples others = falling_scales(columns_of_all, 60, 1);
  Samples person = falling_scales(columns_of_all, 1, 2);
  Samples somebody = falling_scales(columns_of_all, 1, 3);
  const auto left_over = [&](const Samples& last) {
    Samples second(columns_of_all, 21);
    second << others.middleCols(20, 20), last;
    const std::vector<Samples> shards = {others.leftCols(20), second, others.rightCols(20)};
    return Vector(sum_told_to_all(shards) - sum_of(others));
  };
  EXPECT_EQ(recovered(person, left_over(person), rounding), 1);
  EXPECT_EQ(recovered(person, left_over(somebody), rounding), 0);
}

}  // namespace
}  // namespace choir::testing_attack
