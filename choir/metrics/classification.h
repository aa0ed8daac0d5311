// How well predictions hit the truth.
//
//   accuracy(truth, predicted)                       // share of equal labels
//   confusion_matrix(truth, predicted).counts        // row: true label, column: predicted one
//
// All throw Error(InvalidArgument) if the two lengths differ or are zero.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "choir/linalg/types.h"

namespace choir {

using Labels = std::span<const std::int64_t>;

double accuracy(Labels truth, Labels predicted);

struct ConfusionMatrix {
  std::vector<std::int64_t> labels;  // of either side, ascending: the names of rows and columns
  Eigen::Matrix<Index, Eigen::Dynamic, Eigen::Dynamic> counts;
};
ConfusionMatrix confusion_matrix(Labels truth, Labels predicted);

double root_mean_squared_error(const VectorView<double>& truth, const VectorView<double>& predicted);

}  // namespace choir
