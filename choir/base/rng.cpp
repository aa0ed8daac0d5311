#include "choir/base/rng.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include <Random123/philox.h>

#include "choir/base/error.h"

namespace choir {
namespace {

template <std::size_t n>
double polynomial(const std::array<double, n>& coefficients, double x) {
  double value = coefficients[n - 1];
  for (std::size_t i = n - 1; i-- > 0;) value = value * x + coefficients[i];
  return value;
}

// Natural logarithm from IEEE basic operations alone: libm's differs in the last bit between platforms,
// and a normal drawn in the tail would differ with it. x must be positive and normal.
double portable_log(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  auto exponent = static_cast<double>(static_cast<std::int64_t>(bits >> 52) - 1023);
  double m = std::bit_cast<double>((bits & 0x000fffffffffffffu) | 0x3ff0000000000000u);  // [1, 2)
  constexpr double sqrt2 = 1.4142135623730951;
  if (m > sqrt2) {
    m *= 0.5;
    exponent += 1;
  }
  // log m = 2 atanh(s), s = (m-1)/(m+1), |s| <= 0.1716: twelve terms reach 1e-19.
  const double s = (m - 1) / (m + 1);
  const double s2 = s * s;
  double series = 0;
  for (int k = 23; k >= 1; k -= 2) series = series * s2 + 1.0 / k;
  constexpr double ln2_high = 0.693147180369123816490;  // 32 bits: exponent * ln2_high is exact
  constexpr double ln2_low = 1.90821492927058770002e-10;
  return exponent * ln2_high + (2 * s * series + exponent * ln2_low);
}

}  // namespace

double normal_quantile(double p) {
  // M. J. Wichura, Algorithm AS 241 (PPND16), Applied Statistics 37 (1988).
  static constexpr std::array<double, 8> a = {
      3.3871328727963666080e0,  1.3314166789178437745e+2, 1.9715909503065514427e+3, 1.3731693765509461125e+4,
      4.5921953931549871457e+4, 6.7265770927008700853e+4, 3.3430575583588128105e+4, 2.5090809287301226727e+3};
  static constexpr std::array<double, 8> b = {1.0,
                                              4.2313330701600911252e+1,
                                              6.8718700749205790830e+2,
                                              5.3941960214247511077e+3,
                                              2.1213794301586595867e+4,
                                              3.9307895800092710610e+4,
                                              2.8729085735721942674e+4,
                                              5.2264952788528545610e+3};
  static constexpr std::array<double, 8> c = {1.42343711074968357734e0,  4.63033784615654529590e0,
                                              5.76949722146069140550e0,  3.64784832476320460504e0,
                                              1.27045825245236838258e0,  2.41780725177450611770e-1,
                                              2.27238449892691845833e-2, 7.74545014278341407640e-4};
  static constexpr std::array<double, 8> d = {1.0,
                                              2.05319162663775882187e0,
                                              1.67638483018380384940e0,
                                              6.89767334985100004550e-1,
                                              1.48103976427480074590e-1,
                                              1.51986665636164571966e-2,
                                              5.47593808499534494600e-4,
                                              1.05075007164441684324e-9};
  static constexpr std::array<double, 8> e = {6.65790464350110377720e0,  5.46378491116411436990e0,
                                              1.78482653991729133580e0,  2.96560571828504891230e-1,
                                              2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                              2.71155556874348757815e-5, 2.01033439929228813265e-7};
  static constexpr std::array<double, 8> f = {1.0,
                                              5.99832206555887937690e-1,
                                              1.36929880922735805310e-1,
                                              1.48753612908506148525e-2,
                                              7.86869131145613259100e-4,
                                              1.84631831751005468180e-5,
                                              1.42151175831644588870e-7,
                                              2.04426310338993978564e-15};
  const double q = p - 0.5;
  if (std::abs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(a, r) / polynomial(b, r);
  }
  const double r = std::sqrt(-portable_log(q < 0 ? p : 1 - p));
  const double x =
      r <= 5 ? polynomial(c, r - 1.6) / polynomial(d, r - 1.6) : polynomial(e, r - 5) / polynomial(f, r - 5);
  return q < 0 ? -x : x;
}

Rng::Rng(std::uint64_t seed, Purpose purpose, std::uint64_t node, std::uint64_t round)
    : key_{seed, purpose.key()}, counter_{node, round, 0} {}

std::uint64_t Rng::bits() {
  if (used_ == 4) {
    const r123::Philox4x64::ctr_type counter = {{counter_[0], counter_[1], counter_[2], 0}};
    const r123::Philox4x64::key_type key = {{key_[0], key_[1]}};
    const auto block = r123::Philox4x64()(counter, key);
    std::copy(block.begin(), block.end(), block_.begin());
    ++counter_[2];
    used_ = 0;
  }
  return block_[static_cast<std::size_t>(used_++)];
}

double Rng::uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

double Rng::uniform(double low, double high) { return low + (high - low) * uniform(); }

std::uint64_t Rng::below(std::uint64_t bound) {
  if (bound == 0) throw Error(ErrorCategory::InvalidArgument, "Rng::below needs a bound above zero");
  // Draws past the last whole multiple of bound would favour small numbers: draw again.
  const std::uint64_t past = (std::uint64_t{0} - bound) % bound;
  std::uint64_t draw = bits();
  while (draw < past) draw = bits();
  return draw % bound;
}

double Rng::normal() { return normal_quantile((static_cast<double>(bits() >> 12) + 0.5) * 0x1p-52); }

double Rng::chi(Index degrees) {
  double sum = 0;
  for (Index i = 0; i < degrees; ++i) {
    const double z = normal();
    sum += z * z;
  }
  return std::sqrt(sum);
}

std::vector<Index> Rng::permutation(Index count) { return choose(count, count); }

std::vector<Index> Rng::choose(Index count, Index from) {
  if (count < 0 || count > from) {
    fail(ErrorCategory::InvalidArgument, "cannot choose {} of {}", count, from);
  }
  std::vector<Index> order(static_cast<std::size_t>(from));
  std::iota(order.begin(), order.end(), Index{0});
  for (Index i = 0; i < count; ++i) {  // Fisher-Yates, stopped when the chosen ones stand in front
    const auto j = i + static_cast<Index>(below(static_cast<std::uint64_t>(from - i)));
    std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(j)]);
  }
  order.resize(static_cast<std::size_t>(count));
  return order;
}

}  // namespace choir
