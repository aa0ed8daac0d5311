#include "choir/report/svg.h"

#include <cmath>

#include "choir/base/error.h"

namespace choir {
namespace {

// A tenth of a pixel is more than anyone sees.
std::string pixels(double value) {
  if (!std::isfinite(value)) throw Error(ErrorCategory::Internal, "a picture with a coordinate that is NaN");
  const double rounded = std::round(value * 10) / 10;
  return fmt::format("{}", rounded == 0 ? 0 : rounded);
}

std::string stroke_of(const Stroke& stroke) {
  const std::string dashes =
      stroke.dashes.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", stroke.dashes);
  return fmt::format("stroke=\"{}\" stroke-width=\"{}\"{}", stroke.colour, stroke.width, dashes);
}

std::string polygon(const std::vector<Point>& corners, const std::string& colour) {
  std::string list;
  for (const Point& corner : corners) {
    list += fmt::format("{}{},{}", list.empty() ? "" : " ", pixels(corner.x), pixels(corner.y));
  }
  return fmt::format("<polygon points=\"{}\" fill=\"{}\"/>\n", list, colour);
}

}  // namespace

Svg::Svg(double width, double height) : width_(width), height_(height) {}

void Svg::line(Point from, Point to, const Stroke& stroke) {
  body_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" {}/>\n", pixels(from.x), pixels(from.y),
                       pixels(to.x), pixels(to.y), stroke_of(stroke));
}

void Svg::path(const std::vector<Point>& points, const Stroke& stroke) {
  std::string list;
  for (const Point& point : points) {
    list += fmt::format("{}{},{}", list.empty() ? "" : " ", pixels(point.x), pixels(point.y));
  }
  body_ += fmt::format("<polyline points=\"{}\" fill=\"none\" {}/>\n", list, stroke_of(stroke));
}

void Svg::rectangle(Point corner, double width, double height, const std::string& fill) {
  body_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n", pixels(corner.x),
                       pixels(corner.y), pixels(width), pixels(height), fill);
}

void Svg::dot(Point centre, double radius, const std::string& colour) {
  body_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"/>\n", pixels(centre.x),
                       pixels(centre.y), radius, colour);
}

void Svg::ring(Point centre, double radius, const Stroke& stroke) {
  body_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"none\" {}/>\n", pixels(centre.x),
                       pixels(centre.y), radius, stroke_of(stroke));
}

void Svg::marker(Point centre, Marker shape, const std::string& colour) {
  const auto [x, y] = centre;
  constexpr double r = 4;
  switch (shape) {
    case Marker::circle:
      dot(centre, r, colour);
      return;
    case Marker::square:
      rectangle({x - r + 0.5, y - r + 0.5}, 2 * r - 1, 2 * r - 1, colour);
      return;
    case Marker::triangle:
      body_ += polygon({{x, y - r - 1}, {x + r + 1, y + r}, {x - r - 1, y + r}}, colour);
      return;
    case Marker::diamond:
      body_ += polygon({{x, y - r - 1}, {x + r + 1, y}, {x, y + r + 1}, {x - r - 1, y}}, colour);
      return;
    case Marker::cross:
      line({x - r, y - r}, {x + r, y + r}, {.colour = colour, .width = 2});
      line({x - r, y + r}, {x + r, y - r}, {.colour = colour, .width = 2});
      return;
    case Marker::plus:
      line({x - r - 1, y}, {x + r + 1, y}, {.colour = colour, .width = 2});
      line({x, y - r - 1}, {x, y + r + 1}, {.colour = colour, .width = 2});
      return;
  }
}

void Svg::text(Point at, std::string_view words, const TextStyle& style) {
  const std::string turn =
      style.upwards ? fmt::format(" transform=\"rotate(-90 {} {})\"", pixels(at.x), pixels(at.y)) : "";
  body_ +=
      fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{}\" fill=\"{}\"{}{}>{}</text>\n",
                  pixels(at.x), pixels(at.y), style.size, style.anchor, style.colour,
                  style.bold ? " font-weight=\"bold\"" : "", turn, escape_xml(words));
}

std::string Svg::document() const {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n{2}</svg>\n",
      width_, height_, body_);
}

std::string escape_xml(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&apos;";
        break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20) escaped += c;
    }
  }
  return escaped;
}

}  // namespace choir
