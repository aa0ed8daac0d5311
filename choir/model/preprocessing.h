// What happens to a sample before any kernel sees it. Stored in the model, so that transform does to new
// data exactly what fit did to the training data.
//
//   x <- x / divide;  then, if asked,  x <- (x - mean) / scale  per feature  (zscore)
//                               or    x <- x / ||x||                         (unit)
//
//   const Preprocessing zscore = fit_zscore(255, count, sum, sum_of_squares);
//   zscore.apply(samples);
#pragma once

#include <string_view>

#include "choir/linalg/types.h"

namespace choir {

enum class Standardize { none, unit, zscore };

std::string_view to_string(Standardize standardize);
Standardize parse_standardize(std::string_view name);  // throws Error(InvalidArgument) naming the choices

struct Preprocessing {
  double divide = 1;
  Standardize standardize = Standardize::none;
  Vector mean = {};   // M, zscore only
  Vector scale = {};  // M, zscore only; a constant feature has scale 1

  // Both throw Error(InvalidArgument) if the samples do not have M features. A sample of zeros stays one.
  void apply(Samples& samples) const;
  // Back to the scale of the files. unit forgets the length of a sample: it stays 1 times divide.
  void undo(Samples& samples) const;
};

// Throws Error(InvalidArgument) unless divide is finite and not zero and zscore has `features` finite means
// and positive scales.
void validate(const Preprocessing& preprocessing, Index features);

// zscore from the sums a network can agree on: count, sum x and sum x^2 per feature (after divide). The
// variance is the population's, as in scikit-learn's StandardScaler. A feature whose variance is no more
// than what rounding leaves in sums of this length counts as constant.
Preprocessing fit_zscore(double divide, Index count, const Vector& sum, const Vector& sum_of_squares);

}  // namespace choir
