#include "choir/learn/division.h"

namespace choir {

ChoiceNames<Division> choice_names(Division) {
  static constexpr std::array<ChoiceName<Division>, 2> names = {
      {{Division::samples, "samples"}, {Division::coordinates, "coordinates"}}};
  return names;
}

}  // namespace choir
