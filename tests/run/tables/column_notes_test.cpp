#include "choir/run/tables/column_notes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/rng.h"

namespace choir {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Two shards of 30 rows: normal, counting, constant, and one with a thousand times the deviation.
std::vector<Dataset> shards() {
  Rng random(1, Purpose("test-column-notes"));
  std::vector<Dataset> both(2);
  for (Index j = 0; j < 2; ++j) {
    Samples& samples = both[static_cast<std::size_t>(j)].samples;
    samples = Samples::NullaryExpr(4, 30, [&] { return random.normal(); });
    for (Index n = 0; n < 30; ++n) samples(1, n) = static_cast<double>(1000 + 30 * j + n);
    samples.row(2).setConstant(4.5);
    samples.row(3) *= 1000;
  }
  return both;
}

const Recipe recipe = plain_recipe({"calm", "visit", "unit", "salary"});

TEST(ColumnNotes, NameColumnAndWhatHelps) {
  EXPECT_THAT(
      column_notes(shards(), recipe, {}),
      ElementsAre(AllOf(HasSubstr("visit counts the rows"), HasSubstr("--id")),
                  AllOf(HasSubstr("unit has the same value"), HasSubstr("--drop")),
                  AllOf(HasSubstr("salary has 100% of the variance"), HasSubstr("--standardize zscore"))));
}

TEST(ColumnNotes, NothingOutweighsOthersOnceAllAreScaled) {
  for (const std::string& note : column_notes(shards(), recipe, {.is_scaled = true}))
    EXPECT_THAT(note, ::testing::Not(HasSubstr("salary")));
}

TEST(ColumnNotes, OrdinaryColumnsHaveNone) {
  std::vector<Dataset> calm = shards();
  for (Dataset& shard : calm) shard.samples = shard.samples.topRows(1).replicate(2, 1).eval();
  EXPECT_THAT(column_notes(calm, plain_recipe({"a", "b"}), {}), IsEmpty());
}

TEST(ColumnNotes, FewRowsSayLittle) {
  std::vector<Dataset> few = shards();
  for (Dataset& shard : few) shard.samples = shard.samples.leftCols(5).eval();
  EXPECT_THAT(column_notes(few, recipe, {}), IsEmpty());
}

// A feature of a category is often the same.
TEST(ColumnNotes, AreAboutNumbersNotCategories) {
  std::vector<Dataset> all = shards();
  for (Dataset& shard : all) shard.samples = shard.samples.middleRows(2, 1).replicate(2, 1).eval();
  Recipe words = plain_recipe({"unit"});
  words.categories = {{.place = {.name = "sex", .position = 1}, .categories = {"f"}}};
  EXPECT_THAT(column_notes(all, words, {.is_scaled = true}), ElementsAre(HasSubstr("unit has")));
}

}  // namespace
}  // namespace choir
