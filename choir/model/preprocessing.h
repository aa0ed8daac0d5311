// What happens to a sample before any kernel sees it. Stored in the model, so that transform does to new
// data exactly what fit did to the training data.
//
//  x <- x / divide;  then, if asked,  x <- (x - mean) / scale  per feature  (zscore)
//                              or    x <- x / ||x||                         (unit)
//
//   const Preprocessing zscore = fit_zscore(255, feature_moments(samples));
//   zscore.apply(samples);
#pragma once

#include "choir/base/choices.h"
#include "choir/linalg/moments.h"
#include "choir/linalg/types.h"

namespace choir {

enum class Standardize { none, unit, zscore };

ChoiceNames<Standardize> choice_names(Standardize);

struct Preprocessing {
  double divide = 1;
  Standardize standardize = Standardize::none;
  Vector mean = {};   // M, zscore only
  Vector scale = {};  // M, zscore only; a constant feature has scale 1
  // The last so many features are 0 or 1 (recipe.h): zscore is to leave them as they are. A wish alone: mean
  // and scale have it, and files know nothing else of it.
  Index indicators = 0;

  bool changes() const { return divide != 1 || standardize != Standardize::none; }
  // Both throw Error(InvalidArgument) if the samples do not have M features. A sample of zeros stays one.
  void apply(Samples& samples) const;
  Samples applied(const SamplesView& samples, Index first, Index count) const;  // to a copy of these columns
  // Back to the scale of the files. unit forgets the length of a sample: it stays 1 times divide.
  void undo(Samples& samples) const;
};

// Throws Error(InvalidArgument) unless divide is finite and not zero and zscore has `features` finite means
// and positive scales.
void validate(const Preprocessing& preprocessing, Index features);

// zscore from moments that a network can agree on: those of each feature, before divide. The variance is the
// population's, as in scikit-learn's StandardScaler, and so is the rule for a constant feature. The wish says
// divide and indicators.
Preprocessing fit_zscore(const Preprocessing& wish, const Moments& features);
inline Preprocessing fit_zscore(double divide, const Moments& features) {
  return fit_zscore({.divide = divide}, features);
}

}  // namespace choir
