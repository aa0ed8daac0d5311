// What metrics ask of their arguments.
#pragma once

#include <span>

#include "choir/base/error.h"
#include "choir/base/types.h"

namespace choir {

inline void require_same_length(Index truth, Index predicted) {
  if (truth != predicted) {
    fail(ErrorCategory::InvalidArgument,
         "there are {} true values but {} predicted ones; the numbers must be equal", truth, predicted);
  }
  if (truth == 0) {
    throw Error(ErrorCategory::InvalidArgument, "there are no values to compare; give at least one");
  }
}

template <class T>
void require_same_length(std::span<T> truth, std::span<T> predicted) {
  require_same_length(static_cast<Index>(truth.size()), static_cast<Index>(predicted.size()));
}

}  // namespace choir
