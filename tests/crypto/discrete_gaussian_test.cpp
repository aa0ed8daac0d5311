#include "choir/crypto/discrete_gaussian.h"

#include <cmath>
#include <map>
#include <vector>

#include "graph/expect_error.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

using testing::expect_error;

std::vector<std::int64_t> draws(std::uint64_t sigma, int count) {
  const DiscreteGaussian noise(sigma);
  RandomBits bits;
  std::vector<std::int64_t> values;
  for (int i = 0; i < count; ++i) values.push_back(noise.draw(bits));
  return values;
}

// The probabilities of -reach .. reach, by summing exp(-x^2 / (2 sigma^2)).
std::vector<double> probabilities(double sigma, int reach) {
  std::vector<double> weights;
  double total = 0;
  for (int x = -20 * reach; x <= 20 * reach; ++x) total += std::exp(-x * x / (2 * sigma * sigma));
  for (int x = -reach; x <= reach; ++x) weights.push_back(std::exp(-x * x / (2 * sigma * sigma)) / total);
  return weights;
}

// Wilson and Hilferty: about normal.
double deviations_of_chi_squared(double chi_squared, double degrees) {
  const double spread = 2 / (9 * degrees);
  return (std::cbrt(chi_squared / degrees) - (1 - spread)) / std::sqrt(spread);
}

// Six standard deviations: chance exceeds them once in 1e9.
TEST(DiscreteGaussian, HasTheProbabilitiesOfItsDefinition) {
  for (const int sigma : {1, 3, 8}) {
    const int count = 60'000;
    const int reach = 3 * sigma;
    std::map<std::int64_t, double> seen;
    for (const std::int64_t value : draws(static_cast<std::uint64_t>(sigma), count)) seen[value] += 1;
    const std::vector<double> expected = probabilities(sigma, reach);
    double chi_squared = 0;
    double inside = 0;
    double inside_seen = 0;
    for (int x = -reach; x <= reach; ++x) {
      const double mean = count * expected[static_cast<std::size_t>(x + reach)];
      chi_squared += (seen[x] - mean) * (seen[x] - mean) / mean;
      inside += mean;
      inside_seen += seen[x];
    }
    chi_squared += (inside_seen - inside) * (inside_seen - inside) / (count - inside);
    EXPECT_LT(deviations_of_chi_squared(chi_squared, 2 * reach + 1), 6) << sigma;
  }
}

// Of 120,000 draws 3% are more than seven standard deviations of the variance's estimate, and of the mean
// 0.025 sigma more than eight.
TEST(DiscreteGaussian, HasItsVarianceAtAnySize) {
  for (const std::uint64_t sigma : {std::uint64_t{5}, std::uint64_t{1} << 40, DiscreteGaussian::max_sigma}) {
    double sum = 0;
    double squares = 0;
    const int count = 120'000;
    for (const std::int64_t value : draws(sigma, count)) {
      const double scaled = static_cast<double>(value) / static_cast<double>(sigma);
      sum += scaled;
      squares += scaled * scaled;
    }
    EXPECT_NEAR(squares / count, 1, 0.03) << sigma;
    EXPECT_NEAR(sum / count, 0, 0.025) << sigma;
  }
}

TEST(DiscreteGaussian, RefusesWhatItCannotDraw) {
  for (const std::uint64_t sigma : {std::uint64_t{0}, DiscreteGaussian::max_sigma + 1}) {
    expect_error(ErrorCategory::InvalidArgument, {"at least 1 and at most 2^57"},
                 [&] { DiscreteGaussian noise(sigma); });
  }
}

}  // namespace
}  // namespace choir
