// The cheapest way to pair rows with columns (the Hungarian method).
//
//   const Assignment best = cheapest_assignment(costs);       // any shape; the shorter side is paired whole
//   best.column_of_row[2]                                      // -1 if row 2 stays alone
//
// Shortest augmenting paths with potentials: O(r^2 c) for r rows and c >= r columns.
#pragma once

#include <vector>

#include "choir/linalg/types.h"

namespace choir {

struct Assignment {
  std::vector<Index> column_of_row;  // -1: not paired
  double total = 0;                  // of the entries chosen
};

// Throws Error(InvalidArgument) if the matrix is empty or an entry is not finite.
Assignment cheapest_assignment(const MatrixView<double>& costs);

// The same with the largest total, for gains instead of costs.
Assignment richest_assignment(const MatrixView<double>& gains);

}  // namespace choir
