// What Gaussian noise promises, as differential privacy counts it: whoever sees the output tells two
// neighbouring data sets apart no better than (epsilon, delta).
//
//   const double mu = largest_mu(1.0, 1e-6);              // sensitivity / sigma that epsilon 1 allows
//   const double rho = zcdp_rho(mu);                      // of the discrete Gaussian with that ratio
//   zcdp_epsilon(rho + earlier_rho, 1e-6);                // what both together cost
//
// `mu` is the sensitivity (the largest L2 distance between the sums of two neighbouring data sets, rounding
// included) over the standard deviation of the noise in each entry. Functions that invert round towards the
// safe side. Throw Error(InvalidArgument) for what is no parameter: epsilon < 0, delta not in (0, 1), mu or
// rho < 0.
#pragma once

#include <span>

namespace choir {

// Smallest delta at this epsilon, exact for the continuous Gaussian (Balle, Wang, ICML 2018, theorem 8):
//   Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu)
double gaussian_delta(double epsilon, double mu);
double gaussian_epsilon(double delta, double mu);
double largest_mu(double epsilon, double delta);
// Of several mechanisms on the same data, chosen one after the other: sqrt(sum mu_i^2), so 1/sigma^2 adds up.
double composed_mu(std::span<const double> mus);

// Zero-concentrated differential privacy, which holds for the discrete Gaussian as for the continuous one
// (Canonne, Kamath, Steinke 2020, theorem 4), and adds up over mechanisms.
double zcdp_rho(double mu);  // mu^2 / 2
// What rho means, by the best order alpha of their proposition 12: a bound, not exact.
double zcdp_delta(double epsilon, double rho);
double zcdp_epsilon(double delta, double rho);
double largest_rho(double epsilon, double delta);

}  // namespace choir
