#include "choir/run/tables/labels.h"

#include "data/support.h"

#include "choir/data/writer.h"

namespace choir {
namespace {

const std::vector<Index> first_and_last = {0, 2};

TEST(Labels, AreNumbersOrWords) {
  const Table table = decode_table("kind,grade,sick\nb,2,yes\na,3,no\nb,5,no\n", "x.csv");
  EXPECT_THAT(labels_in(table, table.columns[0], first_and_last).words, ElementsAre("b", "b"));
  EXPECT_THAT(labels_in(table, table.columns[1], first_and_last).numbers, ElementsAre(2, 5));
  EXPECT_THAT(labels_in(table, table.columns[2], first_and_last).words, ElementsAre("yes", "no"));
  EXPECT_FALSE(RawLabels().exist());
}

TEST(Labels, WordsBecomeTheirPlaces) {
  const RawLabels labels{.words = {"dog", "cat", "dog"}};
  EXPECT_THAT(labels.classes({"cat", "dog"}, "x.csv"), ElementsAre(1, 0, 1));
  EXPECT_THAT(sentence(ErrorCategory::BadData,
                       [&] {
                         labels.classes({"cat", "emu"}, "x.csv");
                       }),
              HasSubstr("x.csv: the label 'dog' is none of the classes cat, emu"));
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { labels.values("x.csv"); }), HasSubstr("'dog' is none"));
}

TEST(Labels, IntegersHaveNoFraction) {
  const RawLabels whole{.numbers = {3, -1}};
  EXPECT_THAT(whole.integers("x.csv"), ElementsAre(3, -1));
  const RawLabels halves{.numbers = {1, 0.5}};
  EXPECT_THAT(halves.values("x.csv"), ElementsAre(1, 0.5));
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { halves.integers("x.csv"); }),
              HasSubstr("x.csv: label 2"));
}

TEST(Labels, AreThereForEveryRow) {
  const Table table = decode_table("kind,a\nb,1\n?,2\nb,3\n", "x.csv");
  EXPECT_EQ(labels_in(table, table.columns[0], first_and_last).words.size(), 2u);
  const std::vector<Index> second = {1};
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { labels_in(table, table.columns[0], second); }),
              HasSubstr("x.csv: row 2 has no label (kind)"));
}

TEST(Labels, MayBeInAFileBesideTheTable) {
  const TemporaryFolder folder;
  const std::string beside = (folder / "labels.npy").string();
  const Table table = decode_table("a\n1\n2\n3\n", "x.csv");
  write_labels(beside, std::vector<std::int64_t>{7, 8, 9});
  EXPECT_THAT(labels_beside(table, beside, first_and_last).numbers, ElementsAre(7, 9));
  write_labels(beside, std::vector<std::int64_t>{7, 8});
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { labels_beside(table, beside, first_and_last); }),
              HasSubstr("holds 2 numbers, but 3 labels are needed"));
}

}  // namespace
}  // namespace choir
