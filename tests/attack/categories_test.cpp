// What a curious member reads in the sums by which nodes agree on the categories of a table: how many samples
// of the network have a name that he guesses, and no name that he does not.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/learn/tables/category_search.h"

namespace choir {
namespace {

using ::testing::Contains;
using ::testing::Not;

const CategorySearchOptions ten_at_least{.least = 10, .samples = 200};

// All sums of a network with 50 "benign" and, at one hospital, 3 "huntington".
std::vector<Matrix> opened_sums(Index least) {
  CategorySearchOptions options = ten_at_least;
  options.least = least;
  std::vector<CategorySearch> nodes = {{{{{"benign", 20}}}, options},
                                       {{{{"benign", 30}, {"huntington", 3}}}, options}};
  std::vector<Matrix> sums;
  while (!nodes[0].is_over()) {
    sums.push_back(nodes[0].ask() + nodes[1].ask());
    for (CategorySearch& node : nodes) node.learn(sums.back());
  }
  return sums;
}

// What the attacker's own program would add to the first sum for one sample with the name: the bucket.
Index guessed_count(const Matrix& first_sum, const std::string& name) {
  const CategorySearch guess({{{name, 1}}}, ten_at_least);
  const Matrix mine = guess.ask();
  Index row = 0;
  while (mine(row, 0) != 1 || row % 3 != 0) ++row;
  return static_cast<Index>(first_sum(row, 0));
}

// Letters that any column of a sum of letters spells, divided by any count.
std::set<std::string> spelled(const std::vector<Matrix>& sums) {
  std::set<std::string> words;
  for (const Matrix& sum : sums) {
    if (sum.rows() != 16) continue;
    for (Index column = 0; column < sum.cols(); ++column) {
      for (int count = 1; count <= 100; ++count) {
        std::string word;
        for (Index k = 0; k < 16 && sum(k, column) > 0; ++k)
          word += static_cast<char>(static_cast<int>(sum(k, column)) / count);
        words.insert(word);
      }
    }
  }
  return words;
}

TEST(Categories, WhoGuessesANameLearnsItsCount) {
  const std::vector<Matrix> sums = opened_sums(10);
  EXPECT_EQ(guessed_count(sums.front(), "benign"), 50);
  EXPECT_EQ(guessed_count(sums.front(), "huntington"), 3) << "threat-model.md says so";
  EXPECT_EQ(guessed_count(sums.front(), "lupus"), 0);
}

TEST(Categories, RareNamesAreNotSpelled) {
  EXPECT_THAT(spelled(opened_sums(1)), Contains("huntington")) << "the attack reads what is there";
  EXPECT_THAT(spelled(opened_sums(10)), Contains("benign"));
  EXPECT_THAT(spelled(opened_sums(10)), Not(Contains("huntington")));
}

}  // namespace
}  // namespace choir
