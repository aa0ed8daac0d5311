// Dense vectors and matrices of choir. Column-major, as Eigen and LAPACK have them.
//
// Samples are M x N: M features, N samples, one sample per column. A C-order numpy array of shape (N, M)
// and a row-per-sample file map onto it without a copy. This is said once, here, and holds everywhere.
//
//   Samples samples(784, 100);                             // 100 samples of 784 features each
//   const SamplesView first_ten = samples.leftCols(10);    // no copy
#pragma once

#include <Eigen/Core>

#include "choir/base/types.h"
#include "choir/linalg/products.h"

namespace choir {

template <class Scalar>
using MatrixOf = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
template <class Scalar>
using VectorOf = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

using Matrix = MatrixOf<double>;
using Vector = VectorOf<double>;
using Samples = Matrix;  // M x N

// A view of a matrix or of some of its neighbouring columns: what functions take when they only read.
template <class Scalar>
using MatrixView = Eigen::Ref<const MatrixOf<Scalar>, 0, Eigen::OuterStride<>>;
using SamplesView = MatrixView<double>;  // M x N: a pointer and the distance between samples, nothing owned
// Samples without a gap between them. Node programs, which go on after their caller's expression has ended,
// take it by value.
using SamplesMap = Eigen::Map<const Samples>;
inline SamplesMap map_of(const Samples& samples) { return {samples.data(), samples.rows(), samples.cols()}; }
SamplesMap map_of(Samples&&) = delete;
template <class Scalar>
using MatrixSpan = Eigen::Ref<MatrixOf<Scalar>, 0, Eigen::OuterStride<>>;  // written to
template <class Scalar>
using VectorView = Eigen::Ref<const VectorOf<Scalar>>;

}  // namespace choir
