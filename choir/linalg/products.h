// Products of dense matrices, in one compiled function instead of one per expression.
//
//   const Matrix small = Matrix::Random(3, 40);
//   const Matrix gram = small.transpose() * small;      // as ever: this header is only about who computes it
//
// For every pair of operand types Eigen 3.4 instantiates three ways to multiply (coefficients, matrix times
// vector, BLAS) and picks one at run time. Half of the time that this library took to compile went there.
// Here the expression is taken apart into pointers and strides, as Eigen does before it calls BLAS, and the
// choice is made by code that exists once. linalg/types.h includes this header, so every file of the library
// and of its users sees the same products.
#pragma once

#include <concepts>

#include <Eigen/Core>

namespace choir::detail {

// A matrix in memory: entry (i, j) at data[i + j stride], or at data[i stride + j] if stored by rows.
template <class Scalar>
struct Stored {
  Scalar* data;
  Eigen::Index rows;
  Eigen::Index columns;
  Eigen::Index stride;
  bool by_rows;
};

// result = alpha a b + beta result; beta = 0 overwrites whatever is there. Nothing may overlap the result.
void multiply(double alpha, const Stored<const double>& a, const Stored<const double>& b, double beta,
              const Stored<double>& result);
void multiply(float alpha, const Stored<const float>& a, const Stored<const float>& b, float beta,
              const Stored<float>& result);

template <class Scalar, class Expression>
Stored<Scalar> stored(Expression& matrix) {
  eigen_assert(matrix.innerStride() == 1);
  return {matrix.data(), matrix.rows(), matrix.cols(), matrix.outerStride(), bool(Expression::IsRowMajor)};
}

template <class Lhs, class Rhs>
concept of_floats = std::same_as<typename Lhs::Scalar, typename Rhs::Scalar> &&
    (std::same_as<typename Lhs::Scalar, double> || std::same_as<typename Lhs::Scalar, float>);

}  // namespace choir::detail

namespace Eigen::internal {

// More constrained than Eigen's own, and so preferred.
template <class Lhs, class Rhs>
requires choir::detail::of_floats<Lhs, Rhs>
struct generic_product_impl<Lhs, Rhs, DenseShape, DenseShape, GemmProduct> {
  using Scalar = typename Lhs::Scalar;

  template <class Result>
  static void evalTo(Result& result, const Lhs& lhs, const Rhs& rhs) {
    accumulate(result, lhs, rhs, 1, 0);
  }
  template <class Result>
  static void addTo(Result& result, const Lhs& lhs, const Rhs& rhs) {
    accumulate(result, lhs, rhs, 1, 1);
  }
  template <class Result>
  static void subTo(Result& result, const Lhs& lhs, const Rhs& rhs) {
    accumulate(result, lhs, rhs, -1, 1);
  }
  template <class Result>
  static void scaleAndAddTo(Result& result, const Lhs& lhs, const Rhs& rhs, const Scalar& alpha) {
    accumulate(result, lhs, rhs, alpha, 1);
  }

 private:
  template <class Result>
  static void accumulate(Result& result, const Lhs& lhs, const Rhs& rhs, Scalar alpha, Scalar beta) {
    // What lies in memory is used where it lies, a factor apart; what does not is computed first.
    const typename blas_traits<Lhs>::DirectLinearAccessType a = blas_traits<Lhs>::extract(lhs);
    const typename blas_traits<Rhs>::DirectLinearAccessType b = blas_traits<Rhs>::extract(rhs);
    const Scalar factor =
        alpha * blas_traits<Lhs>::extractScalarFactor(lhs) * blas_traits<Rhs>::extractScalarFactor(rhs);
    choir::detail::multiply(factor, choir::detail::stored<const Scalar>(a),
                            choir::detail::stored<const Scalar>(b), beta,
                            choir::detail::stored<Scalar>(result));
  }
};

}  // namespace Eigen::internal
