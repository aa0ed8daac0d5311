// How gamma is chosen: a number, or from the data.
//
//  scale    1 / (M Var X), Var over all entries, as scikit-learn's gamma="scale"
//  median   1 / (2 median ||x - y||^2) over pairs of samples
//
//   const GammaSpec spec = parse_gamma("median");
//   kernel.gamma = resolve_gamma(spec, samples, seed);
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "choir/linalg/moments.h"
#include "choir/linalg/types.h"

namespace choir {

enum class GammaRule { number, scale, median };

struct GammaSpec {
  GammaRule rule = GammaRule::scale;
  double value = 0;  // of a number
};

// "0.5", "scale" or "median". Throws Error(InvalidArgument) for anything else and for gamma <= 0.
GammaSpec parse_gamma(std::string_view text);
std::string to_string(const GammaSpec& spec);

// Throws Error(InvalidArgument) if the rule asks the data and they do not vary.
double resolve_gamma(const GammaSpec& spec, const MatrixView<double>& samples, std::uint64_t seed);

double gamma_scale(const MatrixView<double>& samples);

// The same from what the nodes of a network can agree on; see linalg/moments.h.
double gamma_scale(Index features, const Moments& entries);
// For networks in which no sample may travel. The mean of ||x - y||^2 over pairs is 2 tr Cov, and stands for
// the median.
double gamma_median_stand_in(const Moments& features);

// All pairs of up to 447 samples, else 100,000 pairs drawn with the seed (the median is then within about
// 1% of the exact one).
double gamma_median(const MatrixView<double>& samples, std::uint64_t seed);

}  // namespace choir
