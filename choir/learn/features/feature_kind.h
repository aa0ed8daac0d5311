// Which features that all nodes share stand for a kernel.
//
//   const FeatureKind features = parse_choice<FeatureKind>("features", "random-features");
#pragma once

#include "choir/base/choices.h"

namespace choir {

enum class FeatureKind {
  none,             // the samples themselves: PCA
  landmarks,        // kernel PCA on Nystroem features of shared landmarks
  random_features,  // kernel PCA on random Fourier features: from a seed alone
};

inline constexpr auto feature_kind_names =
    words_in_order<FeatureKind::random_features>("none", "landmarks", "random-features");
inline ChoiceNames<FeatureKind> choice_names(FeatureKind) { return feature_kind_names; }

}  // namespace choir
