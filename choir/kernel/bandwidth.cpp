#include "choir/kernel/bandwidth.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "choir/base/error.h"
#include "choir/base/rng.h"
#include "choir/base/text.h"

namespace choir {
namespace {

constexpr Index drawn_pairs = 100'000;

[[noreturn]] void fail_constant(std::string_view rule) {
  fail(ErrorCategory::InvalidArgument,
       "all samples are equal, so gamma \"{}\" cannot be found from them; check the data or give gamma as a "
       "number",
       rule);
}

bool all_equal(const MatrixView<double>& samples) {
  for (Index i = 1; i < samples.cols(); ++i) {
    if (samples.col(i) != samples.col(0)) return false;
  }
  return true;
}

void require_samples(const MatrixView<double>& samples, std::string_view rule) {
  if (samples.cols() >= 2 && samples.rows() >= 1) return;
  fail(ErrorCategory::InvalidArgument,
       "gamma \"{}\" needs at least two samples and one feature, not {} and {}; give gamma as a number", rule,
       samples.cols(), samples.rows());
}

double gamma_from_variance(Index features, double variance) {
  return 1 / (static_cast<double>(features) * variance);
}

std::vector<double> squared_distances_of_all_pairs(const MatrixView<double>& samples) {
  std::vector<double> distances;
  for (Index j = 0; j < samples.cols(); ++j) {
    for (Index i = j + 1; i < samples.cols(); ++i) {
      distances.push_back((samples.col(i) - samples.col(j)).squaredNorm());
    }
  }
  return distances;
}

std::vector<double> squared_distances_of_drawn_pairs(const MatrixView<double>& samples, std::uint64_t seed) {
  Rng rng(seed, Purpose("gamma median"));
  const auto count = static_cast<std::uint64_t>(samples.cols());
  std::vector<double> distances;
  for (Index pair = 0; pair < drawn_pairs; ++pair) {
    const auto i = static_cast<Index>(rng.below(count));
    const auto other = static_cast<Index>(rng.below(count - 1));
    const Index j = other < i ? other : other + 1;  // any sample but i
    distances.push_back((samples.col(i) - samples.col(j)).squaredNorm());
  }
  return distances;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<Index>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

}  // namespace

GammaSpec parse_gamma(std::string_view text) {
  if (text == "scale") return {GammaRule::scale, 0};
  if (text == "median") return {GammaRule::median, 0};
  const auto number = parse_number(text);
  if (!number) {
    fail(ErrorCategory::InvalidArgument, "gamma is \"{}\"; give a positive number, scale or median", text);
  }
  if (!(*number > 0 && std::isfinite(*number))) {
    fail(ErrorCategory::InvalidArgument, "gamma is {}; it must be positive and finite", text);
  }
  return {GammaRule::number, *number};
}

std::string to_string(const GammaSpec& spec) {
  if (spec.rule == GammaRule::number) return fmt::format("{}", spec.value);
  return spec.rule == GammaRule::scale ? "scale" : "median";
}

double resolve_gamma(const GammaSpec& spec, const MatrixView<double>& samples, std::uint64_t seed) {
  if (spec.rule == GammaRule::scale) return gamma_scale(samples);
  if (spec.rule == GammaRule::median) return gamma_median(samples, seed);
  return spec.value;
}

double gamma_scale(const MatrixView<double>& samples) {
  require_samples(samples, "scale");
  if (all_equal(samples)) fail_constant("scale");
  const double mean = samples.mean();
  return gamma_from_variance(samples.rows(), (samples.array() - mean).square().mean());
}

double gamma_scale(Index features, const Moments& entries) {
  if (constant(entries).all()) fail_constant("scale");
  return gamma_from_variance(features, entries.variance()(0));
}

double gamma_median_stand_in(const Moments& features) {
  if (constant(features).all()) fail_constant("median");
  return 1 / (2 * 2 * features.variance().sum());
}

double gamma_median(const MatrixView<double>& samples, std::uint64_t seed) {
  require_samples(samples, "median");
  if (all_equal(samples)) fail_constant("median");
  const bool few = samples.cols() * (samples.cols() - 1) / 2 <= drawn_pairs;
  const double middle =
      median(few ? squared_distances_of_all_pairs(samples) : squared_distances_of_drawn_pairs(samples, seed));
  if (!(middle > 0)) {
    fail(ErrorCategory::InvalidArgument,
         "half of all pairs of samples are equal, so gamma \"median\" would be infinite; use \"scale\" or "
         "give "
         "gamma as a number");
  }
  return 1 / (2 * middle);
}

}  // namespace choir
