#include "choir/run/tables/column_notes.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "choir/data/column_builder.h"
#include "choir/data/table_info.h"

namespace choir {
namespace {

constexpr Index fewest_samples_to_judge = 20;
constexpr double most_of_all = 0.9;

Index samples_in(const std::vector<Dataset>& shards) {
  Index count = 0;
  for (const Dataset& shard : shards) count += shard.size();
  return count;
}

// One feature of all shards.
Column feature_of(const std::vector<Dataset>& shards, Index feature) {
  Column column;
  for (const Dataset& shard : shards) {
    const auto values = shard.samples.row(feature);
    column.numbers.insert(column.numbers.end(), values.begin(), values.end());
  }
  column.type = type_of_numbers(column.numbers);
  return column;
}

bool has_one_value(const Column& column) {
  return std::ranges::all_of(column.numbers, [&](double value) { return value == column.numbers.front(); });
}

double variance_of(const Column& column) {
  const Eigen::Map<const Vector> values(column.numbers.data(), column.size());
  return (values.array() - values.mean()).square().mean();
}

// "age, bmi and 7 more"
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most_named = 5;
  const std::size_t named = std::min(names.size(), most_named);
  std::string words =
      fmt::format("{}", fmt::join(names.begin(), names.begin() + static_cast<long>(named), ", "));
  if (names.size() > named) words += fmt::format(" and {} more", names.size() - named);
  return words;
}

}  // namespace

std::vector<std::string> column_notes(const std::vector<Dataset>& shards, const Recipe& recipe,
                                      const NoteOptions& options) {
  if (samples_in(shards) < fewest_samples_to_judge) return {};
  const std::vector<std::string> names = recipe.feature_names();
  Vector variance(std::ssize(names));
  std::vector<std::string> constants, identifiers;
  for (Index feature = 0; feature < variance.size(); ++feature) {
    const Column column = feature_of(shards, feature);
    variance(feature) = variance_of(column);
    if (feature >= std::ssize(recipe.numbers)) continue;
    const std::string& name = names[static_cast<std::size_t>(feature)];
    if (has_one_value(column)) constants.push_back(name);
    if (looks_like_identifier(column)) identifiers.push_back(name);
  }
  std::vector<std::string> notes;
  if (!identifiers.empty())
    notes.push_back(
        fmt::format("{} counts the rows, as an identifier does; use --id or --drop to leave it out",
                    listed(identifiers)));
  if (!constants.empty())
    notes.push_back(
        fmt::format("{} has the same value in all rows; use --drop to leave it out", listed(constants)));
  Index largest = 0;
  const double most = variance.maxCoeff(&largest);
  if (!options.is_scaled && variance.size() > 1 && most > most_of_all * variance.sum()) {
    notes.push_back(fmt::format(
        "{} has {:.0f}% of the variance of all columns, and decides alone; use --standardize zscore",
        names[static_cast<std::size_t>(largest)], 100 * most / variance.sum()));
  }
  return notes;
}

}  // namespace choir
