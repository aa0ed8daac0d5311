#include "choir/learn/privacy/gaussian_privacy.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "graph/expect_error.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

using testing::expect_error;

double normal_density(double x) { return std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi); }

// What delta is by definition: the integral of max(0, p - e^epsilon q), p and q normal with means 0 and mu. p
// is larger left of mu/2 - epsilon/mu. Simpson's rule.
double integrated_delta(double epsilon, double mu) {
  const double end = mu / 2 - epsilon / mu;
  const double begin = std::min(end, 0.0) - 14;
  const int pieces = 40'000;
  const double width = (end - begin) / pieces;
  double sum = 0;
  for (int i = 0; i <= pieces; ++i) {
    const double x = begin + i * width;
    const double excess = normal_density(x) - std::exp(epsilon) * normal_density(x - mu);
    sum += excess * (i == 0 || i == pieces ? 1 : (i % 2 == 1 ? 4 : 2));
  }
  return sum * width / 3;
}

TEST(GaussianDelta, IsTheIntegralThatDefinesIt) {
  for (const double mu : {0.05, 0.3, 1.0, 4.0}) {
    for (const double epsilon : {0.0, 0.1, 1.0, 5.0}) {
      const double truth = integrated_delta(epsilon, mu);
      if (truth < 1e-40) continue;
      EXPECT_NEAR(gaussian_delta(epsilon, mu) / truth, 1, 1e-7) << mu << " " << epsilon;
    }
  }
}

// sigma = 3.730631634816464 for epsilon 1, delta 1e-5: the code of Balle and Wang's paper.
TEST(LargestMu, IsThatOfThePaper) { EXPECT_NEAR(1 / largest_mu(1, 1e-5), 3.730631634816464, 1e-9); }

TEST(GaussianDelta, FallsWithEpsilonWhereBothTermsAreTiny) {
  double last = 1;
  for (double epsilon = 0; epsilon < 60; epsilon += 0.5) {
    const double delta = gaussian_delta(epsilon, 0.9);
    EXPECT_GE(delta, 0);
    EXPECT_LT(delta, last) << epsilon;
    if (delta < 1e-290) break;
    last = delta;
  }
  EXPECT_LT(last, 1e-250);
}

TEST(GaussianPrivacy, InvertsToTheSafeSide) {
  for (const double delta : {1e-3, 1e-6, 1e-12}) {
    for (const double mu : {0.01, 0.2, 1.5, 10.0}) {
      const double epsilon = gaussian_epsilon(delta, mu);
      EXPECT_LE(gaussian_delta(epsilon, mu), delta);
      if (epsilon > 0) {
        EXPECT_GT(gaussian_delta(epsilon * (1 - 1e-9), mu), delta);
      }
    }
    for (const double epsilon : {0.0, 0.5, 8.0}) {
      const double mu = largest_mu(epsilon, delta);
      EXPECT_LE(gaussian_delta(epsilon, mu), delta);
      EXPECT_GT(gaussian_delta(epsilon, mu * (1 + 1e-9)), delta);
    }
  }
}

// Two mechanisms at once are one in two dimensions: along the line between the means, a normal with mu = 5.
TEST(ComposedMu, IsTheDistanceInAllMechanismsTogether) {
  const std::vector<double> mus = {3, 4};
  EXPECT_DOUBLE_EQ(composed_mu(mus), 5);
  EXPECT_EQ(composed_mu({}), 0);
}

double best_of_many_orders(double epsilon, double rho) {
  double best = 1;
  for (double log_excess = -12; log_excess < 12; log_excess += 1e-3) {
    const double alpha = 1 + std::exp(log_excess);
    best = std::min(
        best, std::exp((alpha - 1) * (alpha * rho - epsilon)) / (alpha - 1) * std::pow(1 - 1 / alpha, alpha));
  }
  return best;
}

// The orders that are tried are a little apart, so the best of them may be a little worse.
TEST(ZcdpDelta, IsTheBestOverAllOrders) {
  for (const double rho : {0.001, 0.05, 0.5, 3.0}) {
    for (const double epsilon : {0.1, 1.0, 4.0}) {
      const double best = best_of_many_orders(epsilon, rho);
      EXPECT_LE(zcdp_delta(epsilon, rho), best * (1 + 1e-9)) << rho << " " << epsilon;
      EXPECT_GE(zcdp_delta(epsilon, rho), best * (1 - 1e-4)) << rho << " " << epsilon;
    }
  }
}

// A sum of whole numbers that moves by `step`, under the discrete Gaussian: delta by adding up its
// probabilities.
double discrete_delta(double epsilon, int step, double sigma) {
  const int reach = static_cast<int>(30 * sigma) + step;
  double total = 0;
  double excess = 0;
  const auto weight = [&](int x) { return std::exp(-x * x / (2 * sigma * sigma)); };
  for (int x = -reach; x <= reach; ++x) {
    total += weight(x);
    excess += std::max(0.0, weight(x) - std::exp(epsilon) * weight(x - step));
  }
  return excess / total;
}

TEST(ZcdpDelta, IsNeverBelowWhatDiscreteOrContinuousNoiseGives) {
  for (const int step : {1, 3}) {
    for (const double sigma : {1.0, 2.5, 9.0}) {
      const double mu = step / sigma;
      for (const double epsilon : {0.0, 0.3, 1.0, 3.0}) {
        const double bound = zcdp_delta(epsilon, zcdp_rho(mu));
        EXPECT_GE(bound, discrete_delta(epsilon, step, sigma)) << step << " " << sigma << " " << epsilon;
        EXPECT_GE(bound, gaussian_delta(epsilon, mu));
      }
    }
  }
}

TEST(ZcdpEpsilon, IsALittleMoreThanTheExactOne) {
  const double mu = largest_mu(1, 1e-6);
  const double epsilon = zcdp_epsilon(1e-6, zcdp_rho(mu));
  EXPECT_GT(epsilon, 1);
  EXPECT_LT(epsilon, 1.2);
  EXPECT_LE(zcdp_delta(epsilon, zcdp_rho(mu)), 1e-6);
  EXPECT_EQ(zcdp_epsilon(1e-6, 0), 0);
}

TEST(GaussianPrivacy, RefusesWhatIsNoParameter) {
  expect_error(ErrorCategory::InvalidArgument, {"epsilon", "0 or more"}, [] { gaussian_delta(-1, 1); });
  expect_error(ErrorCategory::InvalidArgument, {"mu", "0 or more"}, [] { gaussian_delta(1, -1); });
  expect_error(ErrorCategory::InvalidArgument, {"delta", "between 0 and 1"}, [] { largest_mu(1, 0); });
  expect_error(ErrorCategory::InvalidArgument, {"rho", "0 or more"}, [] { zcdp_epsilon(1e-6, -1); });
}

}  // namespace
}  // namespace choir
