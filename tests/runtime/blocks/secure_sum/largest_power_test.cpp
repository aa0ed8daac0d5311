#include "choir/runtime/blocks/secure_sum/largest_power.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "message_of.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/rng.h"
#include "choir/runtime/blocks/secure_sum/fixed_point.h"
#include "choir/runtime/blocks/secure_sum/pair_masks.h"

namespace choir {
namespace {

WordsView seen(const Words& words) { return {words.data(), words.rows(), words.cols()}; }

Words total_marks(const std::vector<LargestPower>& nodes) {
  Words total = nodes.front().marks();
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    const Words more = nodes[i].marks();
    add_words(span_of(total), {more.data(), static_cast<std::size_t>(more.size())});
  }
  return total;
}

std::vector<double> found_by(std::vector<LargestPower> nodes) {
  while (!nodes.front().is_over()) {
    const Words digits = digits_of(seen(total_marks(nodes)));
    for (LargestPower& node : nodes) node.learn(seen(digits));
  }
  for (const LargestPower& node : nodes) EXPECT_EQ(node.limits(), nodes.front().limits());
  return nodes.front().limits();
}

TEST(LargestPower, IsAboveEverybodysNumbersAndNotFarAbove) {
  Rng random(1, Purpose("powers"));
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<LargestPower> nodes;
    std::vector<int> largest(4, std::numeric_limits<int>::min());
    for (int node = 0; node < 5; ++node) {
      std::vector<int> powers;
      for (int& most : largest) {
        powers.push_back(static_cast<int>(random.below(2042)) - 1021);
        most = std::max(most, powers.back());
      }
      nodes.emplace_back(powers);
    }
    const std::vector<double> limits = found_by(nodes);
    for (std::size_t row = 0; row < 4; ++row) {
      EXPECT_GE(std::log2(limits[row]), std::max(largest[row], -1020));
      EXPECT_LT(std::log2(limits[row]), std::max(largest[row], -1020) + 4);
    }
  }
}

TEST(LargestPower, KnowsTheSmallestAndTheLargestNumbers) {
  const int zero = power_of_two_above(Matrix::Zero(1, 1));
  EXPECT_EQ(found_by({LargestPower({zero})}), std::vector<double>{std::ldexp(1.0, -1020)});
  const int huge = power_of_two_above(Matrix::Constant(1, 1, 1e307));
  EXPECT_EQ(found_by({LargestPower({huge}), LargestPower({zero})}),
            std::vector<double>{std::ldexp(1.0, 1020)});
}

// What the total tells is the same whether one node has such numbers or all have.
TEST(LargestPower, MarksAreRandomWordsOrNothing) {
  const LargestPower small({-3});
  const LargestPower large({9});
  EXPECT_TRUE((small.marks().array() == large.marks().array()).count() < 7);
  const Words once = large.marks();
  const Words again = large.marks();
  for (Index i = 0; i < once.size(); ++i) {
    EXPECT_EQ(once(i) == 0, again(i) == 0);
    if (once(i) != 0) EXPECT_NE(once(i), again(i));
  }
}

TEST(LargestPower, RefusesDigitsThatItsOwnNumbersContradict) {
  LargestPower node({100, 2});
  const Words digits = digits_of(seen(node.marks()));
  for (const std::int64_t wrong : {digits(0) - 1, std::int64_t{8}, std::int64_t{-1}}) {
    Words told = digits;
    told(0) = wrong;
    EXPECT_THAT(test::message_of(ErrorCategory::BadData, [&] { node.learn(seen(told)); }),
                ::testing::HasSubstr("is not above this node's"));
  }
  const Words fewer = digits.topRows(1);
  EXPECT_THAT(test::message_of(ErrorCategory::BadData, [&] { node.learn(seen(fewer)); }),
              ::testing::HasSubstr("1 powers of two arrived where 2 were expected"));
}

}  // namespace
}  // namespace choir
