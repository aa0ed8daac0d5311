// Leading eigenpairs by Lanczos with implicit restarts (Spectra), one column a product: the fewest columns
// multiplied. One starting vector sees one direction of each eigenspace, so the answer is checked for
// missing copies. Only this room uses it; callers use top_eigenpairs.
#pragma once

#include "choir/linalg/eigen.h"

namespace choir {

// As top_eigenpairs with method lanczos, for count < op.rows(). Falls back on block_krylov when a copy is
// missing or Lanczos does not converge.
template <class Scalar>
EigenPairsOf<Scalar> lanczos(const SymmetricOperatorOf<Scalar>& op, const TopEigenOptions& options);

}  // namespace choir
