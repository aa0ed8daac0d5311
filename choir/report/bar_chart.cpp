#include <algorithm>
#include <cmath>

#include "choir/base/error.h"
#include "choir/report/chart_frame.h"

namespace choir {
namespace {

constexpr double group_share = 0.84;  // of a group's width that its bars take

std::string bar_colour(const BarChart& chart, std::size_t bar) {
  return chart.in_order ? shade(bar, chart.bars.size()) : palette_colour(bar);
}

// Lines must differ from bars.
Look line_look(std::size_t line) {
  return {.shape = Look::Shape::line,
          .colour = line == 0 ? "#000000" : "#666666",
          .dashes = line == 0 ? "" : "6 3",
          .marker = {}};
}

std::vector<LegendEntry> legend_of(const BarChart& chart) {
  std::vector<LegendEntry> legend;
  for (std::size_t i = 0; i < chart.bars.size(); ++i) {
    const Look look{.shape = Look::Shape::bar, .colour = bar_colour(chart, i), .dashes = {}, .marker = {}};
    legend.push_back({chart.bars[i].name, look});
  }
  for (std::size_t i = 0; i < chart.lines.size(); ++i) legend.push_back({chart.lines[i].name, line_look(i)});
  return legend;
}

void check(const BarChart& chart) {
  if (chart.groups.empty()) throw Error(ErrorCategory::Internal, "a bar chart without groups");
  for (const auto* list : {&chart.bars, &chart.lines}) {
    for (const Bars& bars : *list) {
      for (const auto* numbers : {&bars.heights, &bars.low, &bars.high}) {
        require_length(*numbers, chart.groups.size(), bars.name);
      }
    }
  }
}

Scale y_scale(const BarChart& chart, const PlotArea& area) {
  std::vector<double> values;
  for (const auto* list : {&chart.bars, &chart.lines}) {
    for (const Bars& bars : *list) {
      for (const auto* numbers : {&bars.heights, &bars.low, &bars.high}) {
        values.insert(values.end(), numbers->begin(), numbers->end());
      }
    }
  }
  Extent extent = extent_of(values, false);
  extent.low = chart.y.from.value_or(std::min(0.0, extent.low));
  extent = rounded_outwards(extent);
  extent.high = chart.y.to.value_or(extent.high);
  return Scale(extent, {area.bottom, area.top + 4});
}

void draw_group(ChartFrame& frame, const BarChart& chart, const Scale& y, std::size_t group) {
  const PlotArea& area = frame.area;
  const double width = (area.right - area.left) / static_cast<double>(chart.groups.size());
  const double left = area.left + (static_cast<double>(group) + (1 - group_share) / 2) * width;
  const double bar_width =
      width * group_share / static_cast<double>(std::max<std::size_t>(1, chart.bars.size()));
  for (std::size_t i = 0; i < chart.bars.size(); ++i) {
    const Bars& bars = chart.bars[i];
    if (bars.heights.empty() || !y.shows(bars.heights[group])) continue;
    const double x = left + static_cast<double>(i) * bar_width;
    const double top = std::min(y(bars.heights[group]), area.bottom);
    frame.svg.rectangle({x, top}, std::max(bar_width - 1, 0.5), area.bottom - top, bar_colour(chart, i));
    if (!bars.low.empty() && !bars.high.empty()) {
      draw_error_bar(frame.svg, y, x + (bar_width - 1) / 2, bars.low[group], bars.high[group], "#333333");
    }
  }
  for (std::size_t i = 0; i < chart.lines.size(); ++i) {
    const Bars& lines = chart.lines[i];
    if (lines.heights.empty() || !y.shows(lines.heights[group])) continue;
    const double height = y(lines.heights[group]);
    const Look look = line_look(i);
    frame.svg.line({left - 3, height}, {left + width * group_share + 2, height},
                   {.colour = look.colour, .width = 2, .dashes = look.dashes});
  }
}

}  // namespace

std::string bar_chart_svg(const BarChart& chart) {
  check(chart);
  ChartFrame frame = start_frame(chart.title, legend_of(chart));
  const Scale y = y_scale(chart, frame.area);
  draw_y_axis(frame, chart.y, y);
  for (std::size_t group = 0; group < chart.groups.size(); ++group) draw_group(frame, chart, y, group);
  draw_x_groups(frame, chart.x, chart.groups);
  return frame.svg.document();
}

}  // namespace choir
