#include "choir/learn/tables/category_search.h"

#include "codec/support.h"
#include <fmt/format.h>

namespace choir {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

// Words of nodes, and all that was added up over them.
struct Searched {
  std::vector<CategorySearch> nodes;
  std::vector<Matrix> totals;
};

Searched search(const std::vector<std::vector<WordCounts>>& nodes, const CategorySearchOptions& options) {
  Searched searched;
  for (const auto& words : nodes) searched.nodes.emplace_back(words, options);
  while (!searched.nodes.front().is_over()) {
    Matrix total = searched.nodes.front().ask();
    for (std::size_t j = 1; j < nodes.size(); ++j) total += searched.nodes[j].ask();
    const double limit = searched.nodes.front().limit();
    for (CategorySearch& node : searched.nodes) {
      EXPECT_LE(node.ask().cwiseAbs().maxCoeff(), limit);
      node.learn(total);
    }
    searched.totals.push_back(std::move(total));
  }
  return searched;
}

TEST(CategorySearch, AddsUpWordsOfAllNodes) {
  const Searched all = search({{{{"f", 3}, {"m", 4}}}, {{{"f", 2}}}, {{}}}, {.least = 1, .samples = 9});
  for (const CategorySearch& node : all.nodes) {
    EXPECT_THAT(node.found(0), ElementsAre(Pair("f", 5), Pair("m", 4)));
    EXPECT_EQ(node.samples(0), 9);
  }
}

// No node alone has enough.
TEST(CategorySearch, CountsOverTheNetworkAndTellsNoRareWord) {
  const Searched all = search({{{{"common", 6}, {"rare", 5}}}, {{{"common", 6}, {"single", 1}}}},
                              {.least = 10, .samples = 18});
  EXPECT_THAT(all.nodes[1].found(0), ElementsAre(Pair("common", 12)));
  EXPECT_EQ(all.nodes[1].samples(0), 18);
}

TEST(CategorySearch, SpellsLongWordsAndOtherAlphabets) {
  const std::string longest = std::string(300, 'x') + "y";
  const Searched all = search({{{{longest, 1}, {"Universitätsklinik Zürich", 2}, {"sixteen letters!", 3}}}},
                              {.least = 1, .samples = 6});
  EXPECT_THAT(all.nodes[0].found(0), ElementsAre(Pair("Universitätsklinik Zürich", 2),
                                                 Pair("sixteen letters!", 3), Pair(longest, 1)));
}

TEST(CategorySearch, ColumnsAreApart) {
  const Searched all = search({{{{"a", 2}}, {{"a", 1}, {"b", 1}}, {}}}, {.least = 1, .samples = 2});
  EXPECT_THAT(all.nodes[0].found(0), ElementsAre(Pair("a", 2)));
  EXPECT_THAT(all.nodes[0].found(1), ElementsAre(Pair("a", 1), Pair("b", 1)));
  EXPECT_THAT(all.nodes[0].found(2), IsEmpty());
}

// More words than there are buckets: many share one, and are told apart in later rounds.
TEST(CategorySearch, FindsWordsThatShareABucket) {
  std::vector<WordCounts> first(1), second(1);
  for (int i = 0; i < 3000; ++i) {
    first[0][fmt::format("word {}", i)] = 1 + i % 7;
    if (i % 3 == 0) second[0][fmt::format("word {}", i)] = 2;
  }
  const Searched all = search({first, second}, {.least = 1, .samples = 20000});
  ASSERT_EQ(all.nodes[0].found(0).size(), 3000u);
  for (const auto& [word, count] : first[0]) {
    const auto other = second[0].find(word);
    EXPECT_EQ(all.nodes[0].found(0).at(word), count + (other == second[0].end() ? 0 : other->second)) << word;
  }
}

// Sums of letters are asked for of one word alone: a rare word that shares a bucket with a frequent one does
// not show in them. 400 rare words are in about as many of the 1,024 buckets as 400 frequent ones are.
TEST(CategorySearch, SumsOfLettersAreOfFrequentWordsAlone) {
  std::vector<WordCounts> words(1);
  for (int i = 0; i < 400; ++i) {
    words[0][fmt::format("frequent {}", i)] = 10;
    words[0][fmt::format("rare {}", i)] = 1;
  }
  const Searched all = search({words}, {.least = 10, .samples = 4400});
  EXPECT_EQ(all.nodes[0].found(0).size(), 400u);
  for (const Matrix& total : all.totals) {
    if (total.rows() != 16) continue;
    for (Index word = 0; word < total.cols(); ++word) {
      // "f", "r", ...: ten samples have each letter; with a rare word in it a sum would be no multiple of 10.
      EXPECT_EQ(total(0, word), 10 * 'f');
      EXPECT_EQ(total(1, word), 10 * 'r');
    }
  }
}

TEST(CategorySearch, OfNothingIsOverAtOnce) { EXPECT_TRUE(CategorySearch({}, {}).is_over()); }

TEST(CategorySearch, RefusesWhatNoWordsAddUpTo) {
  CategorySearch search({{{"a", 1}}}, {.least = 1, .samples = 1});
  Matrix total = search.ask();
  total(0, 0) = -3;
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { search.learn(total); }), HasSubstr("do not add up"));
  EXPECT_THAT(sentence(ErrorCategory::BadData,
                       [] {
                         CategorySearch({{{std::string(600, 'x'), 1}}}, {});
                       }),
              HasSubstr("600 letters"));
}

}  // namespace
}  // namespace choir
