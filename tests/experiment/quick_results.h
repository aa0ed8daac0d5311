// The quick form of an experiment, looked up by setting, series and quantity.
#pragma once

#include <map>
#include <string>

#include "paths.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "choir/experiment/experiment.h"

namespace choir::testing {

class QuickResults {
 public:
  explicit QuickResults(ExperimentResult (*experiment)(const ExperimentOptions&)) {
    const ExperimentResult result = experiment({.quick = true, .threads = 2, .data = datasets_folder()});
    for (const auto& row : result.table.rows()) {
      values_[text_of(row[0]) + "|" + text_of(row[1]) + "|" + text_of(row[2])] = std::get<double>(row[3]);
    }
    EXPECT_FALSE(result.pictures.empty());
    EXPECT_FALSE(result.summaries.empty());
  }

  double at(const std::string& setting, const std::string& series, const std::string& quantity) const {
    return values_.at(setting + "|" + series + "|" + quantity);
  }

 private:
  static std::string text_of(const Cell& cell) {
    if (const auto* text = std::get_if<std::string>(&cell)) return *text;
    return fmt::format("{}", std::get<double>(cell));
  }

  std::map<std::string, double> values_;
};

}  // namespace choir::testing
