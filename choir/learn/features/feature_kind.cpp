#include "choir/learn/features/feature_kind.h"

namespace choir {

ChoiceNames<FeatureKind> choice_names(FeatureKind) {
  static constexpr std::array<ChoiceName<FeatureKind>, 3> names = {
      {{FeatureKind::none, "none"},
       {FeatureKind::landmarks, "landmarks"},
       {FeatureKind::random_features, "random-features"}}};
  return names;
}

}  // namespace choir
