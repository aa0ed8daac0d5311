#include "choir/report/scale.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace choir {
namespace {

// 1, 2 or 5 times a power of ten, hardly less than length / wanted.
double nice_step(double length, int wanted) {
  const double raw = length / wanted;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  const double ratio = raw / power;
  return power * (ratio < 1.1 ? 1 : ratio < 2.2 ? 2 : ratio < 5.5 ? 5 : 10);
}

Extent with_length(Extent extent) {
  if (extent.high > extent.low) return extent;
  const double half = extent.low == 0 ? 0.5 : 0.05 * std::abs(extent.low);
  return {.low = extent.low - half, .high = extent.low + half};
}

// Multiples of a nice step. Counted in steps: a running sum would show 0.30000000000000004.
std::vector<double> even_ticks(Extent extent, int wanted) {
  const double step = nice_step(extent.high - extent.low, wanted);
  const auto first = static_cast<long>(std::ceil(extent.low / step - 1e-9));
  const auto last = static_cast<long>(std::floor(extent.high / step + 1e-9));
  std::vector<double> marks;
  for (long mark = first; mark <= last; ++mark) marks.push_back(static_cast<double>(mark) * step);
  return marks;
}

}  // namespace

Extent extent_of(std::span<const double> values, bool logarithmic) {
  Extent extent{.low = std::numeric_limits<double>::infinity(),
                .high = -std::numeric_limits<double>::infinity()};
  for (const double value : values) {
    if (!std::isfinite(value) || (logarithmic && value <= 0)) continue;
    extent.low = std::min(extent.low, value);
    extent.high = std::max(extent.high, value);
  }
  if (extent.low <= extent.high) return extent;
  return logarithmic ? Extent{1, 10} : Extent{0, 1};
}

Scale::Scale(Extent extent, Pixels pixels, bool logarithmic)
    : extent_(with_length(logarithmic ? Extent{std::log10(extent.low), std::log10(extent.high)} : extent)),
      pixels_(pixels),
      logarithmic_(logarithmic) {}

double Scale::operator()(double value) const {
  const double place = logarithmic_ ? std::log10(value) : value;
  const double share = (place - extent_.low) / (extent_.high - extent_.low);
  return pixels_.from + share * (pixels_.to - pixels_.from);
}

bool Scale::shows(double value) const { return std::isfinite(value) && (!logarithmic_ || value > 0); }

std::vector<double> Scale::ticks(int wanted) const {
  if (!logarithmic_) return even_ticks(extent_, wanted);
  std::vector<double> marks = logarithmic_ticks();
  // Within a part of a decade hardly any of 1, 2 and 5 may be found.
  constexpr std::size_t too_few = 3;
  if (marks.size() >= too_few) return marks;
  return even_ticks({.low = std::pow(10, extent_.low), .high = std::pow(10, extent_.high)}, wanted);
}

std::vector<double> Scale::logarithmic_ticks() const {
  const bool few = extent_.high - extent_.low < 2.5;
  std::vector<double> marks;
  for (auto power = static_cast<int>(std::floor(extent_.low)); power <= extent_.high; ++power) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (factor > 1 && !few) continue;
      const double mark = factor * std::pow(10, power);
      const double place = std::log10(mark);
      if (place >= extent_.low - 1e-9 && place <= extent_.high + 1e-9) marks.push_back(mark);
    }
  }
  return marks;
}

Extent rounded_outwards(Extent extent, int wanted) {
  const Extent wide = with_length(extent);
  const double step = nice_step(wide.high - wide.low, wanted);
  return {.low = step * std::floor(wide.low / step + 1e-9),
          .high = step * std::ceil(wide.high / step - 1e-9)};
}

std::string tick_label(double value) {
  const double size = std::abs(value);
  if (size >= 1e6 || (size > 0 && size < 1e-4)) return fmt::format("{:.3g}", value);
  return fmt::format("{}", std::round(value * 1e6) / 1e6);
}

}  // namespace choir
