// The quick form of an experiment, looked up by setting, series and quantity. Whatever it shows, its table
// and its pictures are looked at, too: every experiment is run once, here or by program_test.py.
#pragma once

#include <algorithm>
#include <map>
#include <string>

#include "paths.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "choir/experiment/experiment.h"
#include "choir/report/chart.h"

namespace choir::testing {

class QuickResults {
 public:
  explicit QuickResults(ExperimentResult (*experiment)(const ExperimentOptions&)) {
    const ExperimentResult result = experiment({.quick = true, .threads = 2, .data = datasets_folder()});
    const auto column = [&](const char* name) {
      return static_cast<std::size_t>(std::ranges::find(result.table.columns(), name) -
                                      result.table.columns().begin());
    };
    const std::size_t smallest = column("min");
    const std::size_t largest = column("max");
    for (const auto& row : result.table.rows()) {
      values_[text_of(row[0]) + "|" + text_of(row[1]) + "|" + text_of(row[2])] = std::get<double>(row[3]);
      EXPECT_LE(std::get<double>(row.at(smallest)), std::get<double>(row.at(largest))) << text_of(row[0]);
    }
    EXPECT_FALSE(result.pictures.empty());
    EXPECT_FALSE(result.summaries.empty());
    for (const Picture& picture : result.pictures) expect_drawn(to_svg(picture.chart));
  }

  double at(const std::string& setting, const std::string& series, const std::string& quantity) const {
    return values_.at(setting + "|" + series + "|" + quantity);
  }

 private:
  static void expect_drawn(const std::string& svg) {
    Index marks = 0;
    for (const char* mark : {"<circle", "<rect", "<polyline"}) {
      for (std::size_t at = svg.find(mark); at != std::string::npos; at = svg.find(mark, at + 1)) ++marks;
    }
    EXPECT_GT(marks, 3);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
  }

  static std::string text_of(const Cell& cell) {
    if (const auto* text = std::get_if<std::string>(&cell)) return *text;
    return fmt::format("{}", std::get<double>(cell));
  }

  std::map<std::string, double> values_;
};

}  // namespace choir::testing
