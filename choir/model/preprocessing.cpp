#include "choir/model/preprocessing.h"

#include <cmath>

#include "choir/base/error.h"

namespace choir {

constexpr auto standardize_names = words_in_order<Standardize::zscore>("none", "unit", "zscore");
ChoiceNames<Standardize> choice_names(Standardize) { return standardize_names; }

void Preprocessing::apply(Samples& samples) const {
  validate(*this, samples.rows());
  if (divide != 1) samples /= divide;
  if (standardize == Standardize::zscore)
    samples = (samples.colwise() - mean).array().colwise() / scale.array();
  if (standardize == Standardize::unit)  // column by column: samples.colwise().normalize() makes NaN of zeros
    for (auto sample : samples.colwise()) sample.normalize();
}

Samples Preprocessing::applied(const SamplesView& samples, Index first, Index count) const {
  Samples piece = samples.middleCols(first, count);
  apply(piece);
  return piece;
}

void Preprocessing::undo(Samples& samples) const {
  validate(*this, samples.rows());
  if (standardize == Standardize::zscore)
    samples = (samples.array().colwise() * scale.array()).matrix().colwise() + mean;
  if (divide != 1) samples *= divide;
}

void validate(const Preprocessing& preprocessing, Index features) {
  if (!std::isfinite(preprocessing.divide) || preprocessing.divide == 0)
    fail(ErrorCategory::InvalidArgument, "divide is {}; it must be finite and not zero",
         preprocessing.divide);
  if (preprocessing.standardize != Standardize::zscore) return;
  if (preprocessing.mean.size() != features || preprocessing.scale.size() != features)
    fail(ErrorCategory::InvalidArgument, "zscore has {} means and {} scales for samples of {} features",
         preprocessing.mean.size(), preprocessing.scale.size(), features);
  if (!preprocessing.mean.allFinite() || !preprocessing.scale.allFinite() ||
      !(preprocessing.scale.array() > 0).all())
    fail(ErrorCategory::InvalidArgument, "zscore needs finite means and positive scales");
}

Preprocessing fit_zscore(const Preprocessing& wish, const Moments& features) {
  if (!(features.count >= 1))
    fail(ErrorCategory::InvalidArgument, "zscore needs at least one sample to learn from");
  const Moments divided = features.divided_by(wish.divide);
  Preprocessing result{.divide = wish.divide,
                       .standardize = Standardize::zscore,
                       .mean = divided.mean,
                       .scale = {},
                       .indicators = wish.indicators};
  result.scale = constant(divided).select(1.0, divided.variance().cwiseSqrt());
  result.mean.tail(wish.indicators).setZero();
  result.scale.tail(wish.indicators).setConstant(1 / wish.divide);
  validate(result, divided.mean.size());
  return result;
}

}  // namespace choir
