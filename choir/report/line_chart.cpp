#include <algorithm>
#include <set>

#include "choir/report/chart_frame.h"

namespace choir {
namespace {

Look look_of(const Series& series, std::size_t index) {
  const bool line = series.style != SeriesStyle::points;
  const bool dashed = series.style == SeriesStyle::dashed;
  const bool colours_repeat = index >= palette_size;
  return {.shape = line ? Look::Shape::line : Look::Shape::marker,
          .colour = line ? palette_colour(index) : "#666666",
          .dashes = dashed           ? "6 3"
                    : colours_repeat ? "2 2"
                                     : "",
          .marker = palette_marker(index)};
}

Scale x_scale(const LineChart& chart, const PlotArea& area) {
  std::vector<double> values;
  for (const Series& series : chart.series) values.insert(values.end(), series.x.begin(), series.x.end());
  Extent extent = extent_of(values, chart.x.logarithmic);
  extent.low = chart.x.from.value_or(extent.low);
  extent.high = chart.x.to.value_or(extent.high);
  return Scale(extent, {area.left + 14, area.right - 14}, chart.x.logarithmic);
}

Scale y_scale(const LineChart& chart, const PlotArea& area) {
  std::vector<double> values;
  for (const Series& series : chart.series) {
    for (const auto* list : {&series.y, &series.low, &series.high}) {
      values.insert(values.end(), list->begin(), list->end());
    }
  }
  Extent extent = extent_of(values, chart.y.logarithmic);
  if (!chart.y.logarithmic) extent = rounded_outwards(extent);
  extent.low = chart.y.from.value_or(extent.low);
  extent.high = chart.y.to.value_or(extent.high);
  return Scale(extent, {area.bottom - 4, area.top + 4}, chart.y.logarithmic);
}

// The numbers that were measured at, if they are few: better marks than round numbers between them.
std::vector<double> x_marks(const LineChart& chart, const Scale& scale) {
  std::set<double> measured;
  for (const Series& series : chart.series) measured.insert(series.x.begin(), series.x.end());
  std::vector<double> marks;
  std::copy_if(measured.begin(), measured.end(), std::back_inserter(marks),
               [&](double value) { return scale.shows(value); });
  for (std::size_t i = 1; i < marks.size(); ++i) {
    if (scale(marks[i]) - scale(marks[i - 1]) < 30) return scale.ticks();
  }
  return marks;
}

void draw_series(Svg& svg, const Series& series, const Look& look, const Scale& x, const Scale& y) {
  require_length(series.y, series.x.size(), series.name);
  require_length(series.low, series.x.size(), series.name);
  require_length(series.high, series.x.size(), series.name);
  std::vector<Point> run;
  const auto end_run = [&] {
    if (run.size() > 1 && look.shape == Look::Shape::line) {
      svg.path(run, {.colour = look.colour, .width = 2, .dashes = look.dashes});
    }
    run.clear();
  };
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    if (!x.shows(series.x[i]) || !y.shows(series.y[i])) {
      end_run();
      continue;
    }
    const Point point{x(series.x[i]), y(series.y[i])};
    if (!series.low.empty() && !series.high.empty()) {
      draw_error_bar(svg, y, point.x, series.low[i], series.high[i], look.colour);
    }
    svg.marker(point, *look.marker, look.colour);
    run.push_back(point);
  }
  end_run();
}

}  // namespace

std::string line_chart_svg(const LineChart& chart) {
  std::vector<LegendEntry> legend;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    legend.push_back({chart.series[i].name, look_of(chart.series[i], i)});
  }
  ChartFrame frame = start_frame(chart.title, legend);
  const Scale x = x_scale(chart, frame.area);
  const Scale y = y_scale(chart, frame.area);
  draw_y_axis(frame, chart.y, y);
  draw_x_axis(frame, chart.x, x, x_marks(chart, x));
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    draw_series(frame.svg, chart.series[i], legend[i].look, x, y);
  }
  return frame.svg.document();
}

}  // namespace choir
