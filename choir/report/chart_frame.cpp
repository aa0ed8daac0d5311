#include "choir/report/chart_frame.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "choir/base/error.h"

namespace choir {
namespace {

constexpr double legend_gap = 18;
constexpr double legend_row = 20;
constexpr double character_width = 6.6;  // of 12 px sans-serif, on the safe side
constexpr const char* axis_colour = "#444444";
constexpr const char* grid_colour = "#e2e2e2";

std::size_t longest_name(const std::vector<LegendEntry>& legend) {
  std::size_t longest = 0;
  for (const LegendEntry& entry : legend) longest = std::max(longest, entry.name.size());
  return longest;
}

void draw_legend_entry(Svg& svg, const LegendEntry& entry, Point at) {
  const Point middle{at.x + 14, at.y - 4};
  if (entry.look.shape == Look::Shape::bar) {
    svg.rectangle({at.x + 7, at.y - 11}, 14, 12, entry.look.colour);
  } else if (entry.look.shape == Look::Shape::ring) {
    svg.ring(middle, ring_radius, {.colour = entry.look.colour, .width = 1.5});
  } else {
    if (entry.look.shape == Look::Shape::line) {
      svg.line({at.x, middle.y}, {at.x + 28, middle.y},
               {.colour = entry.look.colour, .width = 2, .dashes = entry.look.dashes});
    }
    if (entry.look.marker) svg.marker(middle, *entry.look.marker, entry.look.colour);
  }
  svg.text({at.x + 36, at.y}, entry.name, {});
}

void draw_axis_line(ChartFrame& frame) {
  const PlotArea& area = frame.area;
  frame.svg.line({area.left, area.bottom}, {area.right, area.bottom}, {.colour = axis_colour});
}

void draw_x_title(ChartFrame& frame, const Axis& axis) {
  const PlotArea& area = frame.area;
  frame.svg.text({(area.left + area.right) / 2, area.bottom + 42}, axis.title,
                 {.size = 13, .anchor = "middle"});
}

}  // namespace

ChartFrame start_frame(const std::string& title, const std::vector<LegendEntry>& legend) {
  const PlotArea area;
  const double legend_width = 36 + character_width * static_cast<double>(longest_name(legend));
  const double legend_height = area.top + legend_row * static_cast<double>(legend.size());
  const double width = area.right + legend_gap + std::max(legend_width, 60.0) + 12;
  const double height = std::max(area.bottom + 60, legend_height + 12);
  ChartFrame frame{.area = area, .svg = Svg(std::ceil(width), std::ceil(height))};
  frame.svg.text({area.left, 24}, title, {.size = 14, .bold = true});
  double y = area.top + 10;
  for (const LegendEntry& entry : legend) {
    draw_legend_entry(frame.svg, entry, {area.right + legend_gap, y});
    y += legend_row;
  }
  return frame;
}

void draw_y_axis(ChartFrame& frame, const Axis& axis, const Scale& scale) {
  const PlotArea& area = frame.area;
  for (const double mark : scale.ticks()) {
    const double y = scale(mark);
    frame.svg.line({area.left, y}, {area.right, y}, {.colour = grid_colour});
    frame.svg.text({area.left - 8, y + 4}, tick_label(mark), {.anchor = "end"});
  }
  frame.svg.line({area.left, area.top}, {area.left, area.bottom}, {.colour = axis_colour});
  frame.svg.text({20, (area.top + area.bottom) / 2}, axis.title,
                 {.size = 13, .anchor = "middle", .upwards = true});
}

void draw_x_axis(ChartFrame& frame, const Axis& axis, const Scale& scale, const std::vector<double>& marks) {
  const PlotArea& area = frame.area;
  draw_axis_line(frame);
  for (const double mark : marks) {
    const double x = scale(mark);
    frame.svg.line({x, area.bottom}, {x, area.bottom + 5}, {.colour = axis_colour});
    frame.svg.text({x, area.bottom + 20}, tick_label(mark), {.anchor = "middle"});
  }
  draw_x_title(frame, axis);
}

void draw_x_groups(ChartFrame& frame, const Axis& axis, const std::vector<std::string>& groups) {
  const PlotArea& area = frame.area;
  draw_axis_line(frame);
  const double width = (area.right - area.left) / static_cast<double>(groups.size());
  for (std::size_t group = 0; group < groups.size(); ++group) {
    const double x = area.left + (static_cast<double>(group) + 0.5) * width;
    frame.svg.text({x, area.bottom + 20}, groups[group], {.anchor = "middle"});
  }
  draw_x_title(frame, axis);
}

void draw_error_bar(Svg& svg, const Scale& scale, double x, double low, double high,
                    const std::string& colour) {
  if (!scale.shows(low) || !scale.shows(high)) return;
  const Stroke stroke{.colour = colour};
  svg.line({x, scale(low)}, {x, scale(high)}, stroke);
  for (const double end : {low, high}) svg.line({x - 3, scale(end)}, {x + 3, scale(end)}, stroke);
}

std::string palette_colour(std::size_t index) {
  static constexpr std::array<const char*, palette_size> colours = {
      "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"};
  return colours[index % palette_size];
}

std::string tint(std::size_t index) {
  constexpr int white = 0xff;
  const std::string colour = palette_colour(index);
  const auto lighter = [&colour](std::size_t from) {
    const int part = std::stoi(colour.substr(from, 2), nullptr, 16);
    return part + (white - part) * 7 / 10;
  };
  return fmt::format("#{:02x}{:02x}{:02x}", lighter(1), lighter(3), lighter(5));
}

std::string shade(std::size_t index, std::size_t count) {
  const double share = count < 2 ? 1 : static_cast<double>(index) / static_cast<double>(count - 1);
  const auto mix = [share](int light, int dark) {
    return static_cast<int>(std::lround(light + share * (dark - light)));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(0xc9, 0x08), mix(0xdf, 0x3c), mix(0xf2, 0x73));
}

Marker palette_marker(std::size_t index) {
  static constexpr std::array<Marker, 6> markers = {Marker::circle,  Marker::square, Marker::triangle,
                                                    Marker::diamond, Marker::cross,  Marker::plus};
  return markers[index % markers.size()];
}

void require_length(const std::vector<double>& list, std::size_t length, const std::string& series) {
  if (list.empty() || list.size() == length) return;
  fail(ErrorCategory::Internal, "the series '{}' of a chart has lists of {} and {} numbers", series, length,
       list.size());
}

std::string to_svg(const Chart& chart) {
  if (const auto* lines = std::get_if<LineChart>(&chart)) return line_chart_svg(*lines);
  if (const auto* regions = std::get_if<RegionChart>(&chart)) return region_chart_svg(*regions);
  return bar_chart_svg(std::get<BarChart>(chart));
}

}  // namespace choir
