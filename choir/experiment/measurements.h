// What was measured: for every setting and series some quantities, once for each seed.
//
//   Measurements seen("nodes");
//   seen.add("20", "default, own", "similarity", 0.951);
//   seen.table().csv();                              // nodes,series,quantity,mean,min,max,repeats
//   chart.series.push_back(seen.line("default, own", "similarity"));
//
// Everything keeps the order in which it was first added.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "choir/report/chart.h"
#include "choir/report/data_table.h"

namespace choir {

struct Spread {
  double mean = 0;
  double low = 0;
  double high = 0;
  std::size_t repeats = 0;
};

class Measurements {
 public:
  explicit Measurements(std::string setting_name);

  void add(const std::string& setting, const std::string& series, const std::string& quantity, double value);

  // NaN where nothing was measured.
  Spread spread(const std::string& setting, const std::string& series, const std::string& quantity) const;
  const std::vector<std::string>& settings() const { return settings_; }

  DataTable table() const;
  // Means of one quantity, settings down, series across; those that have some.
  DataTable summary(const std::string& quantity) const;
  // Means of one series, settings down, quantities across.
  DataTable quantities_of(const std::string& series) const;
  // Over settings that are numbers; the others are left out.
  Series line(const std::string& series, const std::string& quantity,
              SeriesStyle style = SeriesStyle::line) const;
  // Over all settings.
  Bars bars(const std::string& series, const std::string& quantity) const;

 private:
  using Key = std::tuple<std::string, std::string, std::string>;  // setting, series, quantity

  std::string setting_name_;
  std::vector<std::string> settings_;
  std::vector<std::string> series_;
  std::vector<std::string> quantities_;
  std::map<Key, std::vector<double>> values_;
};

}  // namespace choir
