#include "choir/learn/privacy/gaussian_privacy.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "choir/base/error.h"

namespace choir {
namespace {

void require_parameter(bool holds, const char* name, double value, const char* range) {
  if (holds) return;
  fail(ErrorCategory::InvalidArgument, "{} of differential privacy is {}; it must be {}", name, value, range);
}
void require_epsilon(double epsilon) {
  require_parameter(epsilon >= 0 && std::isfinite(epsilon), "epsilon", epsilon, "0 or more");
}
void require_delta(double delta) {
  require_parameter(delta > 0 && delta < 1, "delta", delta, "between 0 and 1");
}
void require_loss(const char* name, double loss) {
  require_parameter(loss >= 0 && std::isfinite(loss), name, loss, "0 or more");
}

double density(double x) { return std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi); }

// Phi(-x) / density(x) for x >= 0, to rounding: the two alone are too small from 38 on.
double mills_ratio(double x) {
  constexpr double series_from = 25;
  if (x < series_from) return std::erfc(x / std::numbers::sqrt2) / 2 / density(x);
  const double s = 1 / (x * x);
  return (1 - s * (1 - 3 * s * (1 - 5 * s * (1 - 7 * s * (1 - 9 * s))))) / x;
}

// Where a falling function comes down to `level`: halving between two places until nothing is left between.
// Returns the upper end, where the function is at most `level`.
double first_at_most(const std::function<double(double)>& falling, double level, double low, double high) {
  if (falling(low) <= level) return low;
  while (true) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return high;
    (falling(middle) <= level ? high : low) = middle;
  }
}

// epsilon of rho = mu^2 / 2 by the simple bound, which is never too small.
double ample_epsilon(double rho, double delta) { return rho + 2 * std::sqrt(rho * std::log(1 / delta)) + 1; }

}  // namespace

double gaussian_delta(double epsilon, double mu) {
  require_epsilon(epsilon);
  require_loss("mu", mu);
  if (mu == 0) return 0;
  const double a = mu / 2 - epsilon / mu;
  const double b = mu / 2 + epsilon / mu;  // e^epsilon density(b) = density(a)
  if (a < 0) return density(a) * (mills_ratio(-a) - mills_ratio(b));
  return std::erf(a / std::numbers::sqrt2) + density(a) * (mills_ratio(a) - mills_ratio(b));
}

double gaussian_epsilon(double delta, double mu) {
  require_delta(delta);
  require_loss("mu", mu);
  return first_at_most([&](double epsilon) { return gaussian_delta(epsilon, mu); }, delta, 0,
                       ample_epsilon(zcdp_rho(mu), delta));
}

double largest_mu(double epsilon, double delta) {
  require_epsilon(epsilon);
  require_delta(delta);
  const auto delta_at = [&](double noise) { return gaussian_delta(epsilon, 1 / noise); };
  double little = 1;
  while (delta_at(little) <= delta) little /= 2;
  double ample = 1;
  while (delta_at(ample) > delta) ample *= 2;
  constexpr double for_rounding = 1e-12;
  return (1 - for_rounding) / first_at_most(delta_at, delta, little, ample);
}

double composed_mu(std::span<const double> mus) {
  double squares = 0;
  for (const double mu : mus) {
    require_loss("mu", mu);
    squares += mu * mu;
  }
  return std::sqrt(squares);
}

double zcdp_rho(double mu) {
  require_loss("mu", mu);
  return mu * mu / 2;
}

// Every order gives a bound; the search only has to come close to the best one.
double zcdp_delta(double epsilon, double rho) {
  require_epsilon(epsilon);
  require_loss("rho", rho);
  if (rho == 0) return 0;
  const auto log_delta = [&](double log_excess) {
    const double excess = std::exp(log_excess);  // alpha - 1
    const double alpha = 1 + excess;
    return excess * (alpha * rho - epsilon) - log_excess - alpha * std::log1p(1 / excess);
  };
  constexpr double golden = std::numbers::phi - 1;
  double low = -25;
  double high = 25;
  for (int halving = 0; halving < 90; ++halving) {
    const double a = high - golden * (high - low);
    const double b = low + golden * (high - low);
    (log_delta(a) < log_delta(b) ? high : low) = log_delta(a) < log_delta(b) ? b : a;
  }
  return std::min(1.0, std::exp(log_delta((low + high) / 2)));
}

double zcdp_epsilon(double delta, double rho) {
  require_delta(delta);
  require_loss("rho", rho);
  return first_at_most([&](double epsilon) { return zcdp_delta(epsilon, rho); }, delta, 0,
                       ample_epsilon(rho, delta));
}

// By halving, as epsilon grows with rho; the lower end, where it is at most the one asked for.
double largest_rho(double epsilon, double delta) {
  require_epsilon(epsilon);
  require_delta(delta);
  double low = 0;
  double high = epsilon + 1;
  while (zcdp_epsilon(delta, high) <= epsilon) high *= 2;
  while (true) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return low;
    (zcdp_epsilon(delta, middle) <= epsilon ? low : high) = middle;
  }
}

}  // namespace choir
