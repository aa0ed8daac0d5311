#include "choir/linalg/precision.h"

namespace choir {

ChoiceNames<Precision> choice_names(Precision) {
  static constexpr std::array<ChoiceName<Precision>, 2> names = {
      {{Precision::float64, "float64"}, {Precision::float32, "float32"}}};
  return names;
}

}  // namespace choir
