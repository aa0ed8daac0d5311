#include "choir/experiment/measurements.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "choir/base/text.h"

namespace choir {
namespace {

void remember(std::vector<std::string>& list, const std::string& name) {
  if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
}

Cell setting_cell(const std::string& setting) {
  const auto number = parse_number(setting);
  return number ? Cell(*number) : Cell(setting);
}

}  // namespace

Measurements::Measurements(std::string setting_name) : setting_name_(std::move(setting_name)) {}

void Measurements::add(const std::string& setting, const std::string& series, const std::string& quantity,
                       double value) {
  remember(settings_, setting);
  remember(series_, series);
  remember(quantities_, quantity);
  values_[{setting, series, quantity}].push_back(value);
}

Spread Measurements::spread(const std::string& setting, const std::string& series,
                            const std::string& quantity) const {
  const auto found = values_.find({setting, series, quantity});
  if (found == values_.end()) {
    constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
    return {.mean = nothing, .low = nothing, .high = nothing, .repeats = 0};
  }
  const std::vector<double>& values = found->second;
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return {
      .mean = sum / static_cast<double>(values.size()), .low = *low, .high = *high, .repeats = values.size()};
}

DataTable Measurements::table() const {
  DataTable table({setting_name_, "series", "quantity", "mean", "min", "max", "repeats"});
  for (const std::string& quantity : quantities_) {
    for (const std::string& setting : settings_) {
      for (const std::string& series : series_) {
        const Spread seen = spread(setting, series, quantity);
        if (seen.repeats == 0) continue;
        table.add_row({setting_cell(setting), series, quantity, seen.mean, seen.low, seen.high,
                       static_cast<double>(seen.repeats)});
      }
    }
  }
  return table;
}

DataTable Measurements::summary(const std::string& quantity) const {
  const auto measured = [&](const std::string& setting, const std::string& series) {
    return spread(setting, series, quantity).repeats > 0;
  };
  std::vector<std::string> across;
  for (const std::string& series : series_) {
    const auto here = [&](const std::string& setting) { return measured(setting, series); };
    if (std::any_of(settings_.begin(), settings_.end(), here)) across.push_back(series);
  }
  std::vector<std::string> columns = {quantity + " by " + setting_name_};
  columns.insert(columns.end(), across.begin(), across.end());
  DataTable table(columns);
  for (const std::string& setting : settings_) {
    const auto here = [&](const std::string& series) { return measured(setting, series); };
    if (std::none_of(across.begin(), across.end(), here)) continue;
    std::vector<Cell> row = {setting};
    for (const std::string& series : across) row.emplace_back(spread(setting, series, quantity).mean);
    table.add_row(std::move(row));
  }
  return table;
}

DataTable Measurements::quantities_of(const std::string& series) const {
  std::vector<std::string> columns = {setting_name_};
  columns.insert(columns.end(), quantities_.begin(), quantities_.end());
  DataTable table(columns);
  for (const std::string& setting : settings_) {
    std::vector<Cell> row = {setting};
    for (const std::string& quantity : quantities_) row.emplace_back(spread(setting, series, quantity).mean);
    table.add_row(std::move(row));
  }
  return table;
}

Series Measurements::line(const std::string& series, const std::string& quantity, SeriesStyle style) const {
  Series line{.name = series, .style = style};
  for (const std::string& setting : settings_) {
    const auto number = parse_number(setting);
    const Spread seen = spread(setting, series, quantity);
    if (!number || seen.repeats == 0) continue;
    line.x.push_back(*number);
    line.y.push_back(seen.mean);
    line.low.push_back(seen.low);
    line.high.push_back(seen.high);
  }
  return line;
}

Bars Measurements::bars(const std::string& series, const std::string& quantity) const {
  Bars bars{.name = series};
  for (const std::string& setting : settings_) {
    const Spread seen = spread(setting, series, quantity);
    bars.heights.push_back(seen.mean);
    bars.low.push_back(seen.low);
    bars.high.push_back(seen.high);
  }
  return bars;
}

}  // namespace choir
