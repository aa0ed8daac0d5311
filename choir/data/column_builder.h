// A column out of cells: they are all looked at first, so that its type is known when they are added.
//
//   ColumnBuilder builder(rules);
//   for (const std::string& cell : cells) builder.look(cell);
//   for (const std::string& cell : cells) builder.add(cell);
//   const Column column = std::move(builder).column("age");
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "choir/data/cells.h"
#include "choir/data/table.h"

namespace choir {

class ColumnBuilder {
 public:
  // The rules must outlive it.
  explicit ColumnBuilder(const CellRules& rules) : rules_(rules) {}

  void look(std::string_view cell);
  void add(std::string_view cell);
  Column column(std::string name) &&;

 private:
  // What all cells so far can be; of cells that are all missing, numbers.
  ColumnType type() const;

  const CellRules& rules_;
  bool has_values_ = false;
  bool may_be_truth_ = true;
  bool may_be_number_ = true;
  bool may_be_integer_ = true;
  bool may_be_date_ = true;
  Column column_;
};

// integer, if none of them has a fraction; NaN is missing.
ColumnType type_of_numbers(std::span<const double> numbers);

}  // namespace choir
