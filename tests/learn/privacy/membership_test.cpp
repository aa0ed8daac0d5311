// Whether a node in league with the root can tell which of two samples was summed: the promise, tried. The
// attacker knows all but one bit and uses the best statistic there is, the likelihood ratio.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "choir/base/rng.h"
#include "choir/learn/privacy/gaussian_privacy.h"
#include "choir/learn/privacy/noisy_moments.h"
#include "choir/learn/privacy/noisy_words.h"

namespace choir {
namespace {

constexpr double delta = 1e-6;
constexpr Index nodes = 3;  // the first has the sample, the last is the attacker

// Two samples that nothing tells apart better: 120 degrees.
struct Pair {
  Matrix here = moments_column(within_unit_length(Eigen::Vector2d(1, 0)));
  Matrix not_here = moments_column(within_unit_length(Eigen::Vector2d(-0.5, std::sqrt(0.75))));
};

// What the attacker looks at: how much noise there is in it, and who added it.
struct Attacked {
  Release release;
  double share_of_variance = 0;
  Index honest = nodes - 1;  // that added their share
};

// As a run releases moments that may cost so much.
Attacked attacked(double epsilon) {
  PrivacyPlan plan({.epsilon = epsilon, .delta = delta}, nodes);
  return {.release = plan.release("moments", moments_sensitivity, 1.0),
          .share_of_variance = plan.share_of_variance()};
}

// How far the total, less the attacker's own noise, lies from the middle towards the first sample.
double statistic(const Pair& pair, bool is_here, const Attacked& attacked, RandomBits& bits) {
  const Matrix& sample = is_here ? pair.here : pair.not_here;
  const NoisyWords how(attacked.release, attacked.share_of_variance, sample.size());
  Words sum = how.of(sample, bits);
  for (Index other = 1; other < attacked.honest; ++other) sum += how.of(Matrix::Zero(sample.rows(), 1), bits);
  const Matrix seen = how.total(WordsView(sum.data(), sum.rows(), 1), sample.rows(), 1);
  const Matrix direction = (pair.here - pair.not_here).normalized();
  return direction.cwiseProduct(seen - (pair.here + pair.not_here) / 2).sum();
}

struct Trials {
  std::vector<double> here;
  std::vector<double> not_here;
};

Trials tried(const Attacked& attacked, int trials, const Pair& pair = {}) {
  RandomBits bits;
  Trials seen;
  for (int trial = 0; trial < trials; ++trial) {
    seen.here.push_back(statistic(pair, true, attacked, bits));
    seen.not_here.push_back(statistic(pair, false, attacked, bits));
  }
  return seen;
}

struct Moments {
  double mean = 0;
  double variance = 0;
};

Moments moments_of(const std::vector<double>& values) {
  const Eigen::Map<const Vector> all(values.data(), static_cast<Index>(values.size()));
  return {.mean = all.mean(), .variance = (all.array() - all.mean()).square().mean()};
}

// The least epsilon that what was seen allows: from the distance of the means in standard deviations, less
// five standard errors, so that a release that keeps its promise is accused once in millions of runs.
double empirical_epsilon(const Trials& seen) {
  const Moments here = moments_of(seen.here);
  const Moments not_here = moments_of(seen.not_here);
  const double deviation = std::sqrt((here.variance + not_here.variance) / 2);
  const double standard_error = std::sqrt(2 / static_cast<double>(seen.here.size()));
  const double mu = (here.mean - not_here.mean) / deviation - 5 * standard_error;
  return mu > 0 ? zcdp_epsilon(delta, zcdp_rho(mu)) : 0;
}

double true_positives_at(const Trials& seen, double false_positives) {
  std::vector<double> not_here = seen.not_here;
  std::ranges::sort(not_here);
  const double threshold =
      not_here[static_cast<std::size_t>((1 - false_positives) * static_cast<double>(not_here.size()))];
  const auto found = std::ranges::count_if(seen.here, [&](double value) { return value > threshold; });
  return static_cast<double>(found) / static_cast<double>(seen.here.size());
}

constexpr int many = 10'000;

TEST(Membership, WithoutNoiseItShows) {
  EXPECT_GE(true_positives_at(tried(attacked(1e6), 1'000), 0.01), 0.9);
}

TEST(Membership, UnderThePromiseItShowsNoMoreThanPromised) {
  const Trials seen = tried(attacked(1), many);
  EXPECT_LE(empirical_epsilon(seen), 1);
  EXPECT_LE(true_positives_at(seen, 0.01), 0.05);
}

// The promise is for one sample: of a person with two the total moves twice as far.
TEST(Membership, OfSomebodyWithTwoSamplesItShowsMore) {
  Pair two;
  two.here *= 2;
  two.not_here *= 2;
  const double seen = empirical_epsilon(tried(attacked(1), many, two));
  EXPECT_GT(seen, 1);
  EXPECT_LE(seen, zcdp_epsilon(delta, 4 * largest_rho(1, delta)));
}

// So the test would find a mistake in the noise: each is more than five standard errors beyond what passes.
TEST(Membership, HalfTheNoiseIsNoticed) {
  Attacked half = attacked(1);
  half.release.rho *= 4;
  EXPECT_GT(empirical_epsilon(tried(half, many)), 1);
}
TEST(Membership, TheMissingNoiseOfOneNodeIsNoticed) {
  Attacked missing = attacked(1);
  missing.honest = 1;
  EXPECT_GT(empirical_epsilon(tried(missing, 5 * many)), 1);
}

}  // namespace
}  // namespace choir
