// Cholesky factorisation that explains itself when it fails.
//
//   const auto factor = cholesky(matrix);
//   if (!factor.positive_definite) throw Error(ErrorCategory::Numerical, factor.diagnosis);
//   Matrix x = factor.solve(b);                      // A x = b
#pragma once

#include <string>

#include "choir/linalg/types.h"

namespace choir {

template <class Scalar>
struct CholeskyOf {
  bool positive_definite = false;
  MatrixOf<Scalar> lower;  // A = L L'; zeros above the diagonal; empty if it failed
  double condition = 0;    // estimate of ||A||_1 ||A^-1||_1; 0 if it failed or was not asked for

  // If it failed:
  Index failed_minor = 0;  // order of the first leading minor that is not positive, from 1
  double pivot = 0;        // what should have been positive there: a_kk minus what the rows above explain
  double jitter = 0;       // A + jitter I has a factor; about the smallest such number
  std::string diagnosis;   // all of this as a sentence

  // These throw Error(Numerical) with the diagnosis if it failed, Error(InvalidArgument) if sizes differ.
  MatrixOf<Scalar> solve(const MatrixView<Scalar>& b) const;        // A^-1 b
  MatrixOf<Scalar> solve_lower(const MatrixView<Scalar>& b) const;  // L^-1 b
  MatrixOf<Scalar> solve_upper(const MatrixView<Scalar>& b) const;  // L'^-1 b
  MatrixOf<Scalar> inverse_lower_triangle() const;                  // of A^-1; zeros above the diagonal

 private:
  void require_solvable(const MatrixView<Scalar>& b) const;
};
using Cholesky = CholeskyOf<double>;

// The estimate costs as much as the factor of a matrix of a few hundred rows.
enum class ConditionEstimate { yes, no };

// Only the lower triangle is read. Throws Error(InvalidArgument) if the matrix is not square,
// Error(Numerical) if it has a NaN or an infinity.
template <class Scalar>
CholeskyOf<Scalar> cholesky(const MatrixOf<Scalar>& matrix,
                            ConditionEstimate estimate = ConditionEstimate::yes);

}  // namespace choir
