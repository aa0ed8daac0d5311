// Which scalar the large arrays are made of. Models and results are double in either case.
//
//   const Precision precision = parse_choice<Precision>("precision", "float32");
#pragma once

#include "choir/base/choices.h"

namespace choir {

enum class Precision { float64, float32 };

inline constexpr auto precision_names = words_in_order<Precision::float32>("float64", "float32");
inline ChoiceNames<Precision> choice_names(Precision) { return precision_names; }

}  // namespace choir
