#include "choir/data/column_builder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace choir {
namespace {

constexpr double missing_number = std::numeric_limits<double>::quiet_NaN();

bool has_no_fraction(double value) { return std::isfinite(value) && value == std::floor(value); }

}  // namespace

void ColumnBuilder::look(std::string_view cell) {
  if (rules_.is_missing(cell)) return;
  has_values_ = true;
  if (may_be_number_) {
    const std::optional<double> value = rules_.number(cell);
    may_be_number_ = value.has_value();
    may_be_integer_ = may_be_integer_ && value && has_no_fraction(*value);
  }
  may_be_truth_ = may_be_truth_ && truth_value(cell);
  may_be_date_ = may_be_date_ && days_since_1970(cell);
}

ColumnType ColumnBuilder::type() const {
  if (!has_values_) return ColumnType::number;
  if (may_be_truth_) return ColumnType::boolean;
  // 01.03.2024 is a number, too, where a point stands between thousands.
  if (may_be_date_) return ColumnType::date;
  if (may_be_number_) return may_be_integer_ ? ColumnType::integer : ColumnType::number;
  return ColumnType::text;
}

void ColumnBuilder::add(std::string_view cell) {
  column_.type = type();
  const bool is_missing = rules_.is_missing(cell);
  const bool keeps_words = column_.type != ColumnType::integer && column_.type != ColumnType::number;
  if (keeps_words) column_.words.emplace_back(is_missing ? std::string_view() : cell);
  if (column_.type == ColumnType::text) return;
  double value = missing_number;
  if (!is_missing && column_.type == ColumnType::boolean) value = *truth_value(cell) ? 1 : 0;
  if (!is_missing && column_.type == ColumnType::date) value = *days_since_1970(cell);
  if (!is_missing && !keeps_words) value = *rules_.number(cell);
  column_.numbers.push_back(value);
}

Column ColumnBuilder::column(std::string name) && {
  column_.name = std::move(name);
  return std::move(column_);
}

ColumnType type_of_numbers(std::span<const double> numbers) {
  const bool whole =
      std::ranges::all_of(numbers, [](double value) { return std::isnan(value) || has_no_fraction(value); });
  return whole ? ColumnType::integer : ColumnType::number;
}

}  // namespace choir
