// An uninitialised array that may take much of the memory. It asks for huge pages: with small ones the
// first touch of every 4 KiB costs more than the arithmetic on it (8000 samples: 0.13 s of 1.27 s).
//
//   const auto values = large_array<double>(count);        // throws Error(OutOfMemory)
#pragma once

#include <memory>

#include "choir/base/types.h"

namespace choir {

template <class Scalar>
std::shared_ptr<Scalar[]> large_array(Index count);

}  // namespace choir
