// What is in the columns of a table, for people: `choir data info`.
//
//   const std::vector<ColumnInfo> columns = describe_columns(read_table("patients.csv"));
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "choir/data/data_info.h"
#include "choir/data/table.h"

namespace choir {

struct ColumnInfo {
  std::string name;  // "column 3" without names
  ColumnType type = ColumnType::number;
  Index missing = 0;
  Index distinct = 0;             // of the values that are there
  std::vector<double> quartiles;  // minimum, three quartiles, maximum; of finite numbers. None of texts
  std::vector<std::pair<std::string, Index>> most_frequent;  // at most three; of texts and booleans
  bool is_constant = false;                                  // one value in all rows, or none at all
  bool looks_like_identifier = false;

  // "constant", "looks like an identifier: --id, or --drop", "--categorical"; empty: nothing to decide.
  std::string advice() const;
};

std::vector<ColumnInfo> describe_columns(const Table& table);

// Values of their own in nearly all of at least 20 rows: words, or integers that count the rows.
bool looks_like_identifier(const Column& column);

// The table as one line: its numbers, dates and booleans count in range and mean, and in `nan_count` all
// cells that are missing.
DataInfo describe(const Table& table);

// Rows per class of a column of labels, by class; those without one are not counted.
std::vector<std::pair<std::string, Index>> class_counts(const Column& labels);

}  // namespace choir
