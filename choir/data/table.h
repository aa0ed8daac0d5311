// A table as people have it: named columns of numbers, of words for true and false, of dates, of words, with
// cells missing. What becomes of a table before a method sees it is a recipe (model/recipe.h).
//
//   const Table patients = read_table("patients.csv", {.na = {"unknown"}});
//   patients.columns[2].type;                          // ColumnType::text
//   const std::optional<Index> age = patients.find("age");
//   const Table few = take_rows(patients, rows);                                 // std::vector<Index>
//
// csv and tsv have names in their first row; lines of ndjson are objects, {"age": 71, "sex": "f"}, whose
// members are the columns. Arrays (.npy, .npz, .h5, .mat, .idx, svmlight) are tables of numbers without
// names.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "choir/base/choices.h"
#include "choir/data/cells.h"
#include "choir/linalg/types.h"

namespace choir {

// From the narrowest to the widest; a date is one of its own.
enum class ColumnType : std::uint8_t { boolean, integer, number, date, text };
ChoiceNames<ColumnType> choice_names(ColumnType);
constexpr ColumnType last_value(ColumnType) { return ColumnType::text; }

// What columns of two nodes are together: the wider one; text, of a date and anything else.
ColumnType joined(ColumnType a, ColumnType b);

struct Column {
  std::string name;  // empty: the table has no names
  ColumnType type = ColumnType::number;
  std::vector<double> numbers;     // NaN: missing; true is 1, a date its days since 1970-01-01. None of text
  std::vector<std::string> words;  // empty: missing; of boolean, date and text

  Index size() const { return type == ColumnType::text ? std::ssize(words) : std::ssize(numbers); }
  bool is_missing(Index row) const;
  std::string text(Index row) const;  // a cell that is not missing, as a word
  Index missing() const;              // how many cells
};

struct Table {
  std::string source;  // what the user called it
  std::vector<Column> columns;

  Index rows() const { return columns.empty() ? 0 : columns.front().size(); }
  bool has_names() const { return !columns.empty() && !columns.front().name.empty(); }
  // By name, or by number: "1" is the first, "-1" the last.
  std::optional<Index> find(std::string_view column) const;
  // "column 3 (age)"
  std::string words_for(Index column) const;
};

struct TableOptions {
  std::vector<std::string> na = {};  // further words for a missing value
  char decimal = '.';
  std::uint64_t max_bytes = 0;  // as ReadOptions has it
};

// A source is a file, or one array of it, as for read_dataset. Throws what read_dataset throws; numbers that
// are missing or infinite stay.
Table read_table(const std::string& source, const TableOptions& options = {});
// The same of csv and of objects in ndjson alone, whose cells may be words. Nothing: the source has arrays.
std::optional<Table> read_text_table(const std::string& source, const TableOptions& options = {});
// csv or lines of ndjson.
Table decode_table(std::string_view text, const std::string& name, const TableOptions& options = {});

// The rows of these indices, in this order.
Table take_rows(const Table& table, std::span<const Index> rows);

// The column that a user means, by its name or, if there is none of that name, by its number.
std::optional<Index> place_of_column(std::span<const std::string> names, Index columns,
                                     std::string_view wanted);

}  // namespace choir
