// What all charts have in common: title, axes with grid lines, legend, colours.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "choir/report/chart.h"
#include "choir/report/scale.h"
#include "choir/report/svg.h"

namespace choir {

// How a series looks, in the chart and in the legend.
struct Look {
  enum class Shape { line, bar, marker, ring };
  Shape shape = Shape::line;
  std::string colour = {};
  std::string dashes = {};
  std::optional<Marker> marker = {};
};

inline constexpr double ring_radius = 4;

struct LegendEntry {
  std::string name;
  Look look;
};

// The place where data are drawn; the legend stands to the right of it.
struct PlotArea {
  double left = 74;
  double right = 574;
  double top = 44;
  double bottom = 364;
};

struct ChartFrame {
  PlotArea area = {};
  Svg svg;
};

// A picture as wide and high as the legend needs, with title and legend drawn.
ChartFrame start_frame(const std::string& title, const std::vector<LegendEntry>& legend);

// Marks and numbers along the axes. The y axis has grid lines.
void draw_y_axis(ChartFrame& frame, const Axis& axis, const Scale& scale);
void draw_x_axis(ChartFrame& frame, const Axis& axis, const Scale& scale, const std::vector<double>& marks);
void draw_x_groups(ChartFrame& frame, const Axis& axis, const std::vector<std::string>& groups);

// A vertical bar with feet; nothing if an end has no place.
void draw_error_bar(Svg& svg, const Scale& scale, double x, double low, double high,
                    const std::string& colour);

// Okabe and Ito's colours, which people with any colour vision can tell apart; from dark to light.
inline constexpr std::size_t palette_size = 7;  // then they repeat
std::string palette_colour(std::size_t index);
std::string tint(std::size_t index);  // the same, light: for areas under something else
// From light to dark blue.
std::string shade(std::size_t index, std::size_t count);
Marker palette_marker(std::size_t index);

// Throws Error(Internal) unless the list is empty or of this length.
void require_length(const std::vector<double>& list, std::size_t length, const std::string& series);

std::string line_chart_svg(const LineChart& chart);
std::string bar_chart_svg(const BarChart& chart);
std::string region_chart_svg(const RegionChart& chart);

}  // namespace choir
