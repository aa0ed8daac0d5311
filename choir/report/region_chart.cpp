#include "choir/base/error.h"
#include "choir/report/chart_frame.h"

namespace choir {
namespace {

constexpr double dot_radius = 1.5;
constexpr double seam = 0.5;  // rows overlap a little, or viewers that smooth edges let white shine through
constexpr const char* ring_colour = "#000000";

Extent given_extent(const Axis& axis, const RegionChart& chart) {
  if (axis.from && axis.to && *axis.from < *axis.to) return {.low = *axis.from, .high = *axis.to};
  fail(ErrorCategory::Internal, "the chart '{}' has cells or dots but no ends of its axes", chart.title);
}

void require_regions(const RegionChart& chart) {
  if (chart.cells.empty()) return;
  if (chart.columns == 0 || chart.cells.size() % chart.columns != 0) {
    fail(ErrorCategory::Internal, "the chart '{}' has {} cells in rows of {}", chart.title,
         chart.cells.size(), chart.columns);
  }
  for (const std::size_t region : chart.cells) {
    if (region < chart.regions.size()) continue;
    fail(ErrorCategory::Internal, "a cell of the chart '{}' is of region {} of {}", chart.title, region,
         chart.regions.size());
  }
}

std::vector<LegendEntry> legend_of(const RegionChart& chart) {
  std::vector<LegendEntry> legend;
  for (std::size_t region = 0; region < chart.regions.size(); ++region) {
    legend.push_back({chart.regions[region], {.shape = Look::Shape::bar, .colour = palette_colour(region)}});
  }
  for (const Dots& dots : chart.dots) {
    if (dots.name.empty()) continue;
    const bool hollow = dots.style == DotStyle::hollow;
    legend.push_back({dots.name,
                      {.shape = hollow ? Look::Shape::ring : Look::Shape::marker,
                       .colour = hollow ? ring_colour : palette_colour(dots.region),
                       .marker = Marker::circle}});
  }
  return legend;
}

// Neighbours in a row that are of one region are one rectangle: a picture of some kilobytes.
void draw_cells(ChartFrame& frame, const RegionChart& chart) {
  const PlotArea& area = frame.area;
  const std::size_t columns = chart.columns;
  const std::size_t rows = chart.cells.size() / columns;
  const double width = (area.right - area.left) / static_cast<double>(columns);
  const double height = (area.bottom - area.top) / static_cast<double>(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t* cells = &chart.cells[row * columns];
    const double top = area.bottom - height * static_cast<double>(row + 1);
    const double overlapping = row == 0 ? height : height + seam;
    for (std::size_t begin = 0, end = 0; begin < columns; begin = end) {
      while (end < columns && cells[end] == cells[begin]) ++end;
      frame.svg.rectangle({area.left + width * static_cast<double>(begin), top},
                          width * static_cast<double>(end - begin), overlapping, tint(cells[begin]));
    }
  }
}

bool within(double value, const Extent& extent) { return value >= extent.low && value <= extent.high; }

}  // namespace

std::string region_chart_svg(const RegionChart& chart) {
  require_regions(chart);
  const Extent x_extent = given_extent(chart.x, chart);
  const Extent y_extent = given_extent(chart.y, chart);
  ChartFrame frame = start_frame(chart.title, legend_of(chart));
  const Scale x(x_extent, {frame.area.left, frame.area.right});
  const Scale y(y_extent, {frame.area.bottom, frame.area.top});
  draw_y_axis(frame, chart.y, y);
  if (!chart.cells.empty()) draw_cells(frame, chart);
  draw_x_axis(frame, chart.x, x, x.ticks());
  for (const Dots& dots : chart.dots) {
    require_length(dots.y, dots.x.size(), dots.name);
    for (std::size_t i = 0; i < dots.x.size(); ++i) {
      if (!within(dots.x[i], x_extent) || !within(dots.y[i], y_extent)) continue;
      const Point place{x(dots.x[i]), y(dots.y[i])};
      if (dots.style == DotStyle::hollow) {
        frame.svg.ring(place, ring_radius, {.colour = ring_colour, .width = 1.5});
      } else {
        frame.svg.dot(place, dot_radius, palette_colour(dots.region));
      }
    }
  }
  return frame.svg.document();
}

}  // namespace choir
