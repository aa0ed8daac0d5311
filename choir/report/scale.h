// From numbers to pixels along one axis, with tick marks at numbers people like.
//
//   const Scale scale({.low = 0.78, .high = 0.99}, {.from = 400, .to = 40});
//   scale(0.9);                 // pixels
//   scale.ticks();              // 0.80, 0.85, 0.90, 0.95
#pragma once

#include <span>
#include <string>
#include <vector>

namespace choir {

struct Extent {  // of numbers
  double low = 0;
  double high = 1;
};

struct Pixels {  // where low and high stand
  double from = 0;
  double to = 1;
};

// The smallest extent with all finite numbers; positive ones only for a logarithmic axis. 0 .. 1 (1 .. 10)
// if there is none.
Extent extent_of(std::span<const double> values, bool logarithmic);

class Scale {
 public:
  // Widens an extent without length.
  Scale(Extent extent, Pixels pixels, bool logarithmic = false);

  double operator()(double value) const;
  // Whether the value has a place: finite, and positive on a logarithmic axis.
  bool shows(double value) const;
  // Multiples of 1, 2 or 5 times a power of ten within the extent, hardly more than `wanted`; on a
  // logarithmic axis powers of ten, with 2 and 5 between them if there are few.
  std::vector<double> ticks(int wanted = 6) const;

 private:
  std::vector<double> logarithmic_ticks() const;

  Extent extent_;  // of logarithms on a logarithmic axis
  Pixels pixels_;
  bool logarithmic_;
};

// An extent that begins and ends at such multiples.
Extent rounded_outwards(Extent extent, int wanted = 6);

// "0.85", "10", "20000", "1e+06", "2e-07"
std::string tick_label(double value);

}  // namespace choir
