#include "choir/kernel/tile.h"

#include <algorithm>
#include <cmath>

#include <cblas.h>

#include "choir/base/error.h"
#include "choir/base/parallel.h"

namespace choir {
namespace {

constexpr Index kPreparedAtOnce = 256;  // samples

blasint blas(Index size) { return static_cast<blasint>(size); }

// out = x'y, rows x columns
void products(Index features, Index rows, const double* x, Index x_stride, Index columns, const double* y,
              Index y_stride, double* out, Index stride) {
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, blas(rows), blas(columns), blas(features), 1.0, x,
              blas(x_stride), y, blas(y_stride), 0.0, out, blas(stride));
}

void products(Index features, Index rows, const float* x, Index x_stride, Index columns, const float* y,
              Index y_stride, float* out, Index stride) {
  cblas_sgemm(CblasColMajor, CblasTrans, CblasNoTrans, blas(rows), blas(columns), blas(features), 1.0F, x,
              blas(x_stride), y, blas(y_stride), 0.0F, out, blas(stride));
}

// The lower triangle of x'x.
void own_products(Index features, Index size, const double* x, Index x_stride, double* out, Index stride) {
  cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, blas(size), blas(features), 1.0, x, blas(x_stride), 0.0,
              out, blas(stride));
}

void own_products(Index features, Index size, const float* x, Index x_stride, float* out, Index stride) {
  cblas_ssyrk(CblasColMajor, CblasLower, CblasTrans, blas(size), blas(features), 1.0F, x, blas(x_stride),
              0.0F, out, blas(stride));
}

// k(x,x) from x'x, before normalisation.
double self_similarity(const Kernel& kernel, double squared_norm) {
  switch (kernel.kind) {
    case KernelKind::rbf:
    case KernelKind::laplacian:
      return 1;
    case KernelKind::linear:
      return squared_norm;
    case KernelKind::poly:
      return std::pow(kernel.gamma * squared_norm + kernel.coef0, kernel.degree);
    case KernelKind::sigmoid:
      return std::tanh(kernel.gamma * squared_norm + kernel.coef0);
    case KernelKind::cosine:
      return squared_norm > 0 ? 1 : 0;
  }
  fail(ErrorCategory::Internal, "unknown kernel kind {}", static_cast<int>(kernel.kind));
}

void require_positive(const Kernel& kernel, Index sample, double self) {
  if (self > 0 && std::isfinite(self)) return;
  fail(ErrorCategory::BadData,
       "sample {} has k(x,x) = {} under the {} kernel, so the kernel cannot be normalized; remove the sample "
       "or turn normalisation off",
       sample, self, to_string(kernel.kind));
}

}  // namespace

template <class Scalar>
TileKernel<Scalar>::TileKernel(const Kernel& kernel)
    : kernel_(kernel), functions_(column_functions<Scalar>()) {
  validate(kernel);
}

template <class Scalar>
VectorOf<Scalar> TileKernel<Scalar>::pivot(const MatrixView<Scalar>& x) const {
  if (kernel_.kind != KernelKind::rbf || x.cols() == 0) return {};
  // Any point near the samples serves: the mean of a few of them, spread over the set.
  const Index few = std::min<Index>(x.cols(), kPreparedAtOnce);
  Vector sum = Vector::Zero(x.rows());
  for (Index i = 0; i < few; ++i) sum += x.col(i * x.cols() / few).template cast<double>();
  return (sum / static_cast<double>(few)).template cast<Scalar>();
}

template <class Scalar>
bool TileKernel<Scalar>::has_factors() const {
  const bool has_unit_diagonal = kernel_.kind == KernelKind::rbf || kernel_.kind == KernelKind::laplacian;
  return kernel_.kind == KernelKind::cosine || (kernel_.normalized && !has_unit_diagonal);
}

template <class Scalar>
void TileKernel<Scalar>::shift(const MatrixView<Scalar>& x, const VectorOf<Scalar>& pivot, int threads,
                               PreparedSamples<Scalar>& prepared) const {
  prepared.shifted.resize(x.rows(), x.cols());
  prepared.norms.resize(x.cols());
  const Index blocks = (x.cols() + kPreparedAtOnce - 1) / kPreparedAtOnce;
  parallel_for(blocks, threads, [&](Index block) {
    const Index first = block * kPreparedAtOnce;
    const Index last = std::min(first + kPreparedAtOnce, x.cols());
    for (Index i = first; i < last; ++i) {
      prepared.shifted.col(i) = x.col(i) - pivot;
      prepared.norms(i) = static_cast<Scalar>(prepared.shifted.col(i).template cast<double>().squaredNorm());
    }
  });
  prepared.data = prepared.shifted.data();
  prepared.stride = x.rows();
}

template <class Scalar>
VectorOf<Scalar> TileKernel<Scalar>::factors(const MatrixView<Scalar>& x) const {
  VectorOf<Scalar> result(x.cols());
  for (Index i = 0; i < x.cols(); ++i) {
    const double squared_norm = x.col(i).template cast<double>().squaredNorm();
    const double self = self_similarity(kernel_, squared_norm);
    if (kernel_.normalized) require_positive(kernel_, i, self);
    if (kernel_.kind == KernelKind::cosine) {
      result(i) = static_cast<Scalar>(self > 0 ? 1 / std::sqrt(squared_norm) : 0);
    } else {
      result(i) = static_cast<Scalar>(1 / std::sqrt(self));
    }
  }
  return result;
}

template <class Scalar>
PreparedSamples<Scalar> TileKernel<Scalar>::prepare(const MatrixView<Scalar>& x,
                                                    const VectorOf<Scalar>& pivot, int threads) const {
  if (x.rows() == 0 && x.cols() > 0) {
    fail(ErrorCategory::InvalidArgument, "the samples have no features; a kernel needs at least one");
  }
  PreparedSamples<Scalar> prepared;
  prepared.data = x.data();
  prepared.features = x.rows();
  prepared.count = x.cols();
  prepared.stride = std::max(x.outerStride(), x.rows());  // BLAS asks for it even of one column
  if (pivot.size() > 0) shift(x, pivot, threads, prepared);
  if (has_factors()) prepared.factors = factors(x);
  prepared.diagonal = diagonal(x);
  return prepared;
}

template <class Scalar>
VectorOf<Scalar> TileKernel<Scalar>::diagonal(const MatrixView<Scalar>& x) const {
  if (kernel_.kind == KernelKind::rbf || kernel_.kind == KernelKind::laplacian) {
    return VectorOf<Scalar>::Ones(x.cols());
  }
  VectorOf<Scalar> result(x.cols());
  for (Index i = 0; i < x.cols(); ++i) {
    const double self = self_similarity(kernel_, x.col(i).template cast<double>().squaredNorm());
    if (kernel_.normalized) require_positive(kernel_, i, self);
    result(i) = static_cast<Scalar>(kernel_.normalized ? 1 : self);
  }
  return result;
}

template <class Scalar>
template <class FirstRow>
void TileKernel<Scalar>::finish(const PreparedSamples<Scalar>& x, const PreparedSamples<Scalar>& y,
                                const Tile& tile, Scalar* out, Index stride, FirstRow first_row) const {
  const auto gamma = static_cast<Scalar>(kernel_.gamma);
  const auto coef0 = static_cast<Scalar>(kernel_.coef0);
  for (Index j = 0; j < tile.columns; ++j) {
    const Index first = first_row(j);
    const Index rows = tile.rows - first;
    Scalar* column = out + first + j * stride;
    switch (kernel_.kind) {
      case KernelKind::rbf:
        functions_.rbf(rows, column, x.norms.data() + tile.row + first, y.norms(tile.column + j), gamma);
        break;
      case KernelKind::laplacian:
        functions_.laplacian(rows, column, gamma);
        break;
      case KernelKind::poly:
        functions_.poly(rows, column, gamma, coef0, kernel_.degree);
        break;
      case KernelKind::sigmoid:
        functions_.sigmoid(rows, column, gamma, coef0);
        break;
      case KernelKind::linear:
      case KernelKind::cosine:
        break;
    }
    if (x.factors.size() > 0) {
      functions_.scale(rows, column, x.factors.data() + tile.row + first, y.factors(tile.column + j));
    }
  }
}

template <class Scalar>
void TileKernel<Scalar>::compare(const PreparedSamples<Scalar>& x, const PreparedSamples<Scalar>& y,
                                 const Tile& tile, Scalar* out, Index stride) const {
  if (kernel_.kind == KernelKind::laplacian) {
    functions_.l1_distances(x.features, tile.rows, x.sample(tile.row), x.stride, tile.columns,
                            y.sample(tile.column), y.stride, out, stride);
  } else if (&x == &y && tile.row == tile.column) {
    own_products(x.features, tile.rows, x.sample(tile.row), x.stride, out, stride);
  } else {
    products(x.features, tile.rows, x.sample(tile.row), x.stride, tile.columns, y.sample(tile.column),
             y.stride, out, stride);
  }
}

template <class Scalar>
void TileKernel<Scalar>::operator()(const PreparedSamples<Scalar>& x, const PreparedSamples<Scalar>& y,
                                    const Tile& tile, Scalar* out, Index stride) const {
  compare(x, y, tile, out, stride);
  finish(x, y, tile, out, stride, [](Index) { return Index{0}; });
}

template <class Scalar>
void TileKernel<Scalar>::symmetric(const PreparedSamples<Scalar>& x, const Tile& tile, Scalar* out,
                                   Index stride) const {
  compare(x, x, tile, out, stride);
  if (tile.row != tile.column) {
    finish(x, x, tile, out, stride, [](Index) { return Index{0}; });
    return;
  }
  finish(x, x, tile, out, stride, [](Index j) { return j; });
  for (Index j = 0; j < tile.columns; ++j) {
    out[j + j * stride] = x.diagonal(tile.column + j);
    for (Index i = 0; i < j; ++i) out[i + j * stride] = out[j + i * stride];
  }
}

template <class Scalar>
void TileKernel<Scalar>::add_row_sums(const Tile& tile, const Scalar* values, Index stride,
                                      double* sums) const {
  if (tile.row == tile.column) {  // whole and symmetric: the columns' sums say it all
    Vector unused = Vector::Zero(tile.rows);
    for (Index j = 0; j < tile.columns; ++j) {
      sums[tile.column + j] += functions_.add_to(tile.rows, values + j * stride, unused.data());
    }
    return;
  }
  for (Index j = 0; j < tile.columns; ++j) {
    sums[tile.column + j] += functions_.add_to(tile.rows, values + j * stride, sums + tile.row);
  }
}

template class TileKernel<double>;
template class TileKernel<float>;

}  // namespace choir
