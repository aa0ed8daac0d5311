// What is spread over the nodes of a network.
//
//   const Division division = parse_choice<Division>("partition", "coordinates");
#pragma once

#include "choir/base/choices.h"

namespace choir {

enum class Division {
  samples,      // each node has some samples, with all their coordinates
  coordinates,  // each node has some coordinates of all samples
};

inline constexpr auto division_names = words_in_order<Division::coordinates>("samples", "coordinates");
inline ChoiceNames<Division> choice_names(Division) { return division_names; }

}  // namespace choir
