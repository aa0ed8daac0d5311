// Charts as self-contained SVG: lines with markers, and grouped bars.
//
//   LineChart chart{.title = "similarity", .x = {.title = "nodes"}, .y = {.title = "similarity"}};
//   chart.series.push_back({.name = "own", .x = {10, 20}, .y = {0.95, 0.94}, .low = {...}, .high = {...}});
//   write_file_atomically("fig3.svg", to_svg(chart));
//
// Points that are not finite, or not positive on a logarithmic axis, are left out; lines end before them.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace choir {

struct Axis {
  std::string title = {};
  bool logarithmic = false;
  std::optional<double> from = {};  // otherwise as the data want it
  std::optional<double> to = {};
};

enum class SeriesStyle {
  line,    // with markers
  dashed,  // with markers: a bound, or a baseline
  points,  // markers alone: figures of others
};

struct Series {
  std::string name = {};
  std::vector<double> x = {};
  std::vector<double> y = {};
  std::vector<double> low = {};   // ends of error bars; empty: none
  std::vector<double> high = {};  //
  SeriesStyle style = SeriesStyle::line;
};

struct LineChart {
  std::string title = {};
  Axis x = {};
  Axis y = {};
  std::vector<Series> series = {};
};

// One number for each group; NaN leaves a gap.
struct Bars {
  std::string name = {};
  std::vector<double> heights = {};
  std::vector<double> low = {};   // ends of error bars; empty: none
  std::vector<double> high = {};  //
};

struct BarChart {
  std::string title = {};
  Axis x = {};
  Axis y = {};                           // not logarithmic
  std::vector<std::string> groups = {};  // below the axis
  std::vector<Bars> bars = {};
  std::vector<Bars> lines = {};  // drawn across their groups
  bool in_order = false;         // bars are steps of one thing: one colour, from light to dark
};

using Chart = std::variant<LineChart, BarChart>;

// Throws Error(Internal) if lists that belong together differ in length.
std::string to_svg(const Chart& chart);

}  // namespace choir
