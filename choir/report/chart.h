// Charts as self-contained SVG: lines with markers, grouped bars, and regions of the plane.
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

enum class DotStyle {
  small,   // in the colour of their class: samples
  hollow,  // black rings about places that matter
};

struct Dots {
  std::string name = {};  // in the legend; empty: not there
  std::vector<double> x = {};
  std::vector<double> y = {};
  std::size_t region = 0;  // whose colour small dots have
  DotStyle style = DotStyle::small;
};

// A plane that is cut into regions, and dots on it: what a classifier says, and where samples lie. Dots out
// of the axes' ends are left out.
struct RegionChart {
  std::string title = {};
  Axis x = {};                            // `from` and `to` must be given, not logarithmic
  Axis y = {};                            //
  std::vector<std::string> regions = {};  // their names
  std::size_t columns = 0;
  // Columns x rows, row after row from below, the region of each; none: dots alone.
  std::vector<std::size_t> cells = {};
  std::vector<Dots> dots = {};
};

using Chart = std::variant<LineChart, BarChart, RegionChart>;

// Throws Error(Internal) if lists that belong together differ in length, or a cell has no region.
std::string to_svg(const Chart& chart);

}  // namespace choir
