// An uninitialised array that may take much of the memory, aligned to cache lines.
//
//   const auto values = large_array<double>(count);        // throws Error(OutOfMemory)
//
// Small pages on purpose: huge ones save 0.09 s of page faults on 280 MB (0.025 s against 0.115 s) where the
// memory is warm, but on a virtual machine that hands free memory back they cost 0.3 s to 0.7 s.
#pragma once

#include <memory>

#include "choir/base/types.h"

namespace choir {

template <class Scalar>
std::shared_ptr<Scalar[]> large_array(Index count);

}  // namespace choir
