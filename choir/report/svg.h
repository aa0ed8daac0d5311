// A picture in SVG, piece by piece, in pixels from the upper left corner.
//
//   Svg svg(640, 400);
//   svg.line({40, 360}, {600, 360}, {.colour = "#333333"});
//   svg.text({320, 20}, "similarity & time", {.anchor = "middle"});
//   write_file_atomically("chart.svg", svg.document());
//
// Text is escaped. A coordinate that is not finite is an Error(Internal): no viewer draws it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace choir {

struct Point {
  double x = 0;
  double y = 0;
};

struct Stroke {
  std::string colour = "#333333";
  double width = 1;
  std::string dashes = {};  // as SVG has them, "6 3"; empty: none
};

struct TextStyle {
  double size = 12;
  std::string anchor = "start";  // start, middle, end
  bool bold = false;
  bool upwards = false;  // turned by a quarter, to be read from below
  std::string colour = "#222222";
};

enum class Marker { circle, square, triangle, diamond, cross, plus };

class Svg {
 public:
  Svg(double width, double height);

  void line(Point from, Point to, const Stroke& stroke);
  void path(const std::vector<Point>& points, const Stroke& stroke);
  void rectangle(Point corner, double width, double height, const std::string& fill);
  void dot(Point centre, double radius, const std::string& colour);
  void ring(Point centre, double radius, const Stroke& stroke);
  void marker(Point centre, Marker shape, const std::string& colour);
  void text(Point at, std::string_view words, const TextStyle& style);

  std::string document() const;

 private:
  double width_;
  double height_;
  std::string body_;
};

// With the five characters replaced that XML keeps for itself, and without the control characters it forbids.
std::string escape_xml(std::string_view text);

}  // namespace choir
