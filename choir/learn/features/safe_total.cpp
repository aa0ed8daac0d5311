#include "choir/learn/features/safe_total.h"

#include <algorithm>
#include <cmath>

namespace choir {
namespace {

constexpr Index samples_per_feature = 4;
constexpr double unknowns_per_number = 4;
constexpr double squared_inputs_per_leverage = 40;
constexpr double most_leverage = 0.9;

}  // namespace

Index safe_total(Index samples, Index inputs, Index wanted) {
  // m^2 + 3 m <= 2 budget
  const double budget = static_cast<double>(samples) * static_cast<double>(inputs) / unknowns_per_number;
  const auto by_count = static_cast<Index>(std::floor((std::sqrt(9 + 8 * budget) - 3) / 2));
  return std::min({wanted, by_count, samples / samples_per_feature});
}

double leverage_limit(Index inputs) {
  const auto numbers = static_cast<double>(inputs);
  return std::min(most_leverage, numbers * numbers / squared_inputs_per_leverage);
}

Index features_without_lone_samples(const MatrixView<double>& psi, const Vector& squares, double limit) {
  Vector leverages = Vector::Zero(psi.cols());
  for (Index feature = 0; feature < psi.rows(); ++feature) {
    if (!(squares(feature) > 0)) return feature;  // it tells nothing of anybody
    leverages += psi.row(feature).transpose().cwiseAbs2() / squares(feature);
    if (leverages.size() > 0 && leverages.maxCoeff() > limit) return feature;
  }
  return psi.rows();
}

}  // namespace choir
