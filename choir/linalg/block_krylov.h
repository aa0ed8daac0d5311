// Leading eigenpairs by block Krylov iteration: a random block, its images under A, and Rayleigh-Ritz in
// the space they span. Every pass over A multiplies a whole block, so a matrix that has to come from
// memory comes once for all of its columns. Only this room uses it; callers use top_eigenpairs.
//
// A block is wider than the number of wanted pairs, so eigenvalues are found with their multiplicity. When
// the basis is full it restarts from its best Ritz vectors (thick restart), losing nothing that matters:
//   A V = V T + R E'    (V orthonormal, R the last block's remainder, E' selects the last block)
// holds before and after. Orthogonality is kept by projecting until nothing is left to project.
#pragma once

#include "choir/linalg/eigen.h"

namespace choir {

// As top_eigenpairs with method block_krylov; count is within 1 .. op.rows().
template <class Scalar>
EigenPairsOf<Scalar> block_krylov(const SymmetricOperatorOf<Scalar>& op, const TopEigenOptions& options);

}  // namespace choir
