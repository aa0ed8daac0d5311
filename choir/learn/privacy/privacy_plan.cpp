#include "choir/learn/privacy/privacy_plan.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "choir/base/error.h"
#include "choir/learn/privacy/gaussian_privacy.h"

namespace choir {
namespace {

double rho_of(const PrivacyOptions& options) {
  validate(options);
  if (!options.wanted()) {
    throw Error(ErrorCategory::InvalidArgument, "a privacy plan needs an epsilon; none was asked for");
  }
  return largest_rho(*options.epsilon, options.delta);
}

}  // namespace

double Release::sigma() const { return sensitivity / std::sqrt(2 * rho); }

Index assumed_colluders(Index nodes) { return nodes <= 1 ? 0 : std::max<Index>(1, nodes / 5); }

PrivacyPlan::PrivacyPlan(const PrivacyOptions& options, Index nodes) : rho_(rho_of(options)), nodes_(nodes) {}

Release PrivacyPlan::release(std::string what, double sensitivity, double share) {
  constexpr double rounding = 1e-9;  // of shares that should add up to 1
  taken_ += share;
  if (!(share > 0) || taken_ > 1 + rounding) {
    fail(ErrorCategory::InvalidArgument, "'{}' would take {} of a privacy budget of which {} is left", what,
         share, 1 - (taken_ - share));
  }
  releases_.push_back({.what = std::move(what), .sensitivity = sensitivity, .rho = share * rho_});
  return releases_.back();
}

double PrivacyPlan::share_of_variance() const {
  return 1 / static_cast<double>(nodes_ - assumed_colluders(nodes_));
}

}  // namespace choir
