// Rows of a text as cells, before anything is made of them: of csv, and of ndjson whose lines are objects.
//
//   const auto rows = rows_of_csv(text, "patients.csv", '.');
//   rows->names();                                                    // {"id", "age"}; {"", ""} without
//   header rows->for_each([](const std::vector<std::string>& cells) { ... });           // as often as one
//   likes
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace choir {

class TableRows {
 public:
  using Visit = std::function<void(const std::vector<std::string>& cells)>;

  virtual ~TableRows() = default;
  virtual const std::vector<std::string>& names() const = 0;  // one per column; empty: there is no header
  // Throws Error(BadData) that names the first row which is none.
  virtual void for_each(const Visit& visit) const = 0;
};

// The text must outlive the rows; `name` is what error messages call it. With ',' as decimal point fields are
// not separated by commas.
std::unique_ptr<TableRows> rows_of_csv(std::string_view text, const std::string& name, char decimal);
// Columns are the members of the first line's object; a line may lack some, whose cells are empty then, as
// null is.
std::unique_ptr<TableRows> rows_of_ndjson(std::string_view text, const std::string& name);

// Whether the lines of an ndjson text are objects of single values, as opposed to lists of numbers.
bool has_named_columns(std::string_view text);

}  // namespace choir
