// How a table became samples, so that a model does to new tables what was done to the one it was fitted to:
// which columns, in which order, and how each becomes numbers.
//
//   Recipe recipe = plain_recipe({"age", "bmi"});
//   recipe.categories.push_back({.place = {.name = "sex", .position = 2}, .categories = {"f", "m"}});
//   recipe.feature_names();                    // {"age", "bmi", "sex=f", "sex=m"}
//
// A sample has, in this order: a feature per column of numbers; one, 0 or 1, per column of numbers whose
// missing cells are marked; one, 0 or 1, per category.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "choir/base/choices.h"
#include "choir/linalg/types.h"

namespace choir {

// What becomes of a missing cell.
enum class Missing : std::uint8_t {
  error,      // it is refused
  mean,       // of a number: the mean of all nodes' cells; of a category: no category
  drop,       // its row is left out
  indicator,  // as mean, and a feature says where cells were missing
};
ChoiceNames<Missing> choice_names(Missing);

// Where a column is in the files.
struct ColumnPlace {
  std::string name = {};  // empty: files have no names
  Index position = 0;     // from 0, in the file that the recipe was made from
  friend bool operator==(const ColumnPlace&, const ColumnPlace&) = default;
};

// Of numbers, of words for true and false (1 and 0), and of dates (days since 1970-01-01).
struct NumberColumn {
  ColumnPlace place = {};
  double fill = 0;         // in place of a missing cell
  bool has_marks = false;  // a feature says which cells were missing
  friend bool operator==(const NumberColumn&, const NumberColumn&) = default;
};

struct CategoryColumn {
  ColumnPlace place = {};
  std::vector<std::string> categories = {};  // ascending; a feature each
  bool has_other = false;                    // a feature for those that are too rare to be told
  bool has_marks = false;
  friend bool operator==(const CategoryColumn&, const CategoryColumn&) = default;
};

struct Recipe {
  std::vector<NumberColumn> numbers = {};
  std::vector<CategoryColumn> categories = {};
  std::string id = {};                     // a column that says who each row is; never a feature. Empty: none
  std::string label = {};                  // the same of what was to be learned, or compared with
  std::vector<std::string> left_out = {};  // other columns by name that new files may have
  Index file_columns = 0;                  // of the files, where they have no names
  Missing missing = Missing::error;
  std::vector<std::string> na = {};  // words for a missing value
  char decimal = '.';
  std::vector<std::string> classes = {};  // words that labels 0, 1, ... stand for; empty: labels are integers

  bool has_names() const;
  bool is_empty() const { return numbers.empty() && categories.empty(); }
  // Of numbers alone, as they are in the file: there is nothing to do but to find the columns.
  bool is_plain() const;
  Index features() const { return std::ssize(numbers) + indicators(); }
  // The last features, which are 0 or 1: zscore leaves them as they are.
  Index indicators() const;
  std::vector<std::string> feature_names() const;
  // All columns that samples are made of: numbers, then categories.
  std::vector<ColumnPlace> places() const;

  friend bool operator==(const Recipe&, const Recipe&) = default;
};

// Columns with these names, and nothing to do with them.
Recipe plain_recipe(const std::vector<std::string>& names);

// Throws Error(InvalidArgument) for a recipe that no table could follow: without columns, with fills that are
// no numbers, with names for some columns only, with categories that are not ascending.
void validate(const Recipe& recipe);

}  // namespace choir
