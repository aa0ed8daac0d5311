#include "choir/run/option.h"

#include <algorithm>

#include <fmt/ranges.h>

namespace choir {
namespace {

std::string dashed(std::string_view name) {
  std::string result(name);
  std::replace(result.begin(), result.end(), '_', '-');
  return result;
}

// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
std::size_t distance(std::string_view from, std::string_view to) {
  std::vector<std::vector<std::size_t>> cost(from.size() + 1, std::vector<std::size_t>(to.size() + 1));
  for (std::size_t i = 0; i <= from.size(); ++i) {
    for (std::size_t j = 0; j <= to.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      cost[i][j] =
          std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (from[i - 1] != to[j - 1])});
      const bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
      if (swapped) cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[from.size()][to.size()];
}

void check_range(const OptionRow& row, std::string_view option, const std::vector<std::string>& values) {
  const std::string words = row.range.words();
  if (words.empty()) return;
  for (const std::string& text : detail::split_values(values)) {
    const auto value = parse_number(text);  // a word in place of a number has no range
    if (value && !row.range.has(*value)) refuse_option(option, text, words);
  }
}

void apply_one(const OptionTable& table, const GivenOption& given, OptionTarget& target) {
  const OptionRow* row = table.find(given.name);
  if (row == nullptr) {
    fail(ErrorCategory::InvalidArgument, "'{}' is not an option here{}; see --help", given.name,
         did_you_mean(given.name, table.names()));
  }
  if (target.given.contains(row->name)) return;
  if (given.values.empty()) fail(ErrorCategory::InvalidArgument, "--{} needs a value", row->name);
  const std::string option = "--" + row->name;
  check_range(*row, option, given.values);
  row->set(target, option, given.values);
  target.given.insert(row->name);
}

}  // namespace

bool OptionRange::has(double value) const {
  return (without_low ? value > low : value >= low) && (without_high ? value < high : value <= high);
}

std::string OptionRange::words() const {
  const bool has_low = low > -std::numeric_limits<double>::infinity();
  const bool has_high = high < std::numeric_limits<double>::infinity();
  if (has_low && has_high) {
    return fmt::format("{} {} to {} {}", without_low ? "more than" : "from", low,
                       without_high ? "less than" : "at most", high);
  }
  if (has_low && integers && (low == 0 || low == 1)) {
    return low == 0 ? "a non-negative integer" : "a positive integer";
  }
  if (has_low && low == 0 && !without_low) return "0 or more";
  if (has_low && low == 0) return "positive";
  if (has_low) return fmt::format("{} {}", without_low ? "more than" : "at least", low);
  if (has_high) return fmt::format("{} {}", without_high ? "less than" : "at most", high);
  return {};
}

std::string OptionRow::key() const {
  std::string result = name;
  std::replace(result.begin(), result.end(), '-', '_');
  return result;
}

OptionRow& OptionTable::add(OptionRow row) {
  if (find(row.name) != nullptr)
    fail(ErrorCategory::Internal, "the option --{} is in its table twice", row.name);
  rows_.push_back(std::move(row));
  return rows_.back();
}

OptionRow& OptionTable::at(std::string_view name) {
  for (OptionRow& row : rows_) {
    if (row.name == name) return row;
  }
  fail(ErrorCategory::Internal, "the table has no option --{}", name);
}

void OptionTable::remove(std::string_view name) {
  at(name);
  std::erase_if(rows_, [&](const OptionRow& row) { return row.name == name; });
}

const OptionRow* OptionTable::find(std::string_view name) const {
  const std::string wanted = dashed(name);
  const auto found =
      std::find_if(rows_.begin(), rows_.end(), [&](const OptionRow& row) { return row.name == wanted; });
  return found == rows_.end() ? nullptr : &*found;
}

std::vector<std::string> OptionTable::names() const {
  std::vector<std::string> names;
  for (const OptionRow& row : rows_) names.push_back(row.name);
  return names;
}

std::vector<std::string> detail::split_values(const std::vector<std::string>& values) {
  std::vector<std::string> all;
  for (const std::string& value : values) {
    for (const std::string_view word : split(value, ',')) all.emplace_back(trim(word));
  }
  std::erase(all, "");
  return all;
}

void apply_options(const OptionTable& table, const std::vector<GivenOption>& given, OptionTarget& target) {
  for (const GivenOption& option : given) {
    try {
      apply_one(table, option, target);
    } catch (const Error& cause) {
      if (option.origin.empty()) throw;
      throw Error(cause.category(), option.origin, cause);
    }
  }
}

void require_options(const OptionTable& table, const OptionTarget& target) {
  for (const OptionRow& row : table.rows()) {
    if (!row.required || !row.values(target).empty()) continue;
    fail(ErrorCategory::InvalidArgument, "--{} is missing: name {}", row.name, row.help);
  }
}

std::string canonical_text(const OptionRow& row, const OptionTarget& target) {
  return fmt::format("{}", fmt::join(row.values(target), ","));
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& words) {
  const std::string wanted = dashed(word);
  std::string nearest;
  std::size_t best = std::max<std::size_t>(2, wanted.size() / 3) + 1;
  for (const std::string& candidate : words) {
    const bool begins = wanted.size() >= 3 && candidate.starts_with(wanted);
    const std::size_t cost = begins ? 1 : distance(wanted, candidate);
    if (cost < best) {
      best = cost;
      nearest = candidate;
    }
  }
  return nearest.empty() ? std::string() : fmt::format(" (did you mean '{}'?)", nearest);
}

}  // namespace choir
