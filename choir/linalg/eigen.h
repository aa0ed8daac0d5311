// Eigenpairs of symmetric matrices: all of them, or the leading ones of an operator.
//
//   auto all = eigen_symmetric(matrix);                              // LAPACK, destroys its copy
//   auto top = top_eigenpairs(op, {.count = 10, .tol = 1e-8});        // products only
//   if (!top.converged) ...                                           // status, not an exception
#pragma once

#include <cstdint>

#include "choir/base/progress.h"
#include "choir/linalg/symmetric_operator.h"
#include "choir/linalg/types.h"

namespace choir {

template <class Scalar>
struct EigenPairsOf {
  VectorOf<Scalar> values;   // D, descending
  MatrixOf<Scalar> vectors;  // N x D, orthonormal columns; sign: the entry of largest magnitude is positive
  MatrixOf<Scalar> images;   // N x D, A v_d as multiplied; of top_eigenpairs only
  double residual = 0;       // max_d ||A v_d - l_d v_d|| / |l|_max, measured, not estimated; |l|_max is the
                             // largest magnitude of an eigenvalue of A that was met, wanted or not
  bool converged = true;     // residual <= tol
  Index products = 0;        // columns multiplied by A
};
using EigenPairs = EigenPairsOf<double>;

enum class EigenMethod { automatic, dense, lanczos, block_krylov };

struct TopEigenOptions {
  Index count = 1;
  double tol = 1e-8;         // on the residual above
  Index max_restarts = 100;  // of either iterative method
  EigenMethod method = EigenMethod::automatic;
  std::uint64_t seed = 0;  // of the starting block
  Matrix start = {};       // N x any: directions that block_krylov starts from; empty: random ones
  Watch watch = {};
};

// All eigenpairs of a symmetric matrix; only the lower triangle is read. residual is not measured: 0.
// Throws Error(InvalidArgument) if it is not square, Error(Numerical) if LAPACK gives up or it has a NaN.
template <class Scalar>
EigenPairsOf<Scalar> eigen_symmetric(MatrixOf<Scalar> matrix);

// The algebraically largest eigenpairs. Repeated eigenvalues are found with their multiplicity. A tol that
// the scalar's precision cannot reach (float: about 5e-7) ends the search with converged = false.
// Throws Error(InvalidArgument) if count is 0 or exceeds op.rows(), Error(Numerical) if a product has a NaN.
template <class Scalar>
EigenPairsOf<Scalar> top_eigenpairs(const SymmetricOperatorOf<Scalar>& op, const TopEigenOptions& options);

}  // namespace choir
