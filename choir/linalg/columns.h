// Several matrices of the same height as one: the samples of several nodes as one sample set.
//
//   const Samples all = side_by_side(shards);
#pragma once

#include <vector>

#include "choir/linalg/types.h"

namespace choir {

// Throws Error(InvalidArgument) if there are none, or their numbers of rows differ.
Matrix side_by_side(const std::vector<Eigen::Map<const Matrix>>& parts);
Matrix side_by_side(const std::vector<Matrix>& parts);

// The other way round: as equally as possible, in order.
std::vector<Matrix> cut_columns(const Matrix& whole, Index parts);

}  // namespace choir
