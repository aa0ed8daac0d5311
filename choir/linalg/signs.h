// An eigenvector's sign is arbitrary; this makes it a rule, so that two runs and two nodes agree.
//
//   fix_signs<double>(vectors);         // in every column the entry of largest magnitude is positive
#pragma once

#include "choir/linalg/types.h"

namespace choir {

// Of entries that tie for the largest magnitude the first decides. Zero columns stay as they are. Returns
// what each column was multiplied by, for whatever else must turn with it.
template <class Scalar>
VectorOf<Scalar> fix_signs(MatrixSpan<Scalar> columns);

}  // namespace choir
