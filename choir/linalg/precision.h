// Which scalar the large arrays are made of. Models and results are double in either case.
#pragma once

namespace choir {

enum class Precision { float64, float32 };

}  // namespace choir
