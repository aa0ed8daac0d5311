#include "choir/kernel/tile.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <cblas.h>

#include "choir/base/error.h"
#include "choir/base/parallel.h"
#include "choir/kernel/comparison.h"
#include "choir/kernel/large_array.h"

namespace choir {
namespace {

constexpr Index prepared_at_once = 256;  // samples
constexpr double few_enough = 0.95;      // share of used features below which a copy pays
constexpr double harmless_offset = 4;    // squared, against the mean squared distance from the mean

// work(i) for every sample, a block of neighbours at a time.
template <class Work>
void in_blocks(Index count, int threads, const Work& work) {
  parallel_for((count + prepared_at_once - 1) / prepared_at_once, threads, [&](Index block) {
    const Index last = std::min((block + 1) * prepared_at_once, count);
    for (Index i = block * prepared_at_once; i < last; ++i) work(i);
  });
}

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

// Copies the lower triangle to the upper one, in blocks that fit the cache both ways.
template <class Scalar>
void mirror(Index size, Scalar* out, Index stride) {
  constexpr Index block = 16;
  for (Index j = 0; j < size; j += block) {
    for (Index i = 0; i < std::min(j + block, size); i += block) {
      for (Index column = j; column < std::min(j + block, size); ++column) {
        for (Index row = i; row < std::min(i + block, column); ++row) {
          out[row + column * stride] = out[column + row * stride];
        }
      }
    }
  }
}

template <class Scalar>
Vector squared_norms(const MatrixView<Scalar>& x) {
  return x.template cast<double>().colwise().squaredNorm().transpose();
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
  const Index few = std::min<Index>(x.cols(), prepared_at_once);
  const auto sample = [&](Index i) { return x.col(i * x.cols() / few).template cast<double>(); };
  Vector mean = Vector::Zero(x.rows());
  for (Index i = 0; i < few; ++i) mean += sample(i) / static_cast<double>(few);
  double spread = 0;
  for (Index i = 0; i < few; ++i) spread += (sample(i) - mean).squaredNorm() / static_cast<double>(few);
  // Samples around the origin keep their digits as they are, and a copy is saved.
  if (mean.squaredNorm() <= harmless_offset * spread) return {};
  return mean.template cast<Scalar>();
}

template <class Scalar>
void TileKernel<Scalar>::shift(const VectorOf<Scalar>& pivot, int threads,
                               PreparedSamples<Scalar>& prepared) const {
  prepared.copy = large_array<Scalar>(prepared.features * prepared.count);
  in_blocks(prepared.count, threads, [&](Index i) {
    const Eigen::Map<const VectorOf<Scalar>> from(prepared.sample(i), prepared.features);
    Eigen::Map<VectorOf<Scalar>>(prepared.copy.get() + i * prepared.features, prepared.features) =
        from - pivot;
  });
  prepared.data = prepared.copy.get();
  prepared.stride = prepared.features;
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
  if (pivot.size() > 0) shift(pivot, threads, prepared);
  if (kernel_.kind == KernelKind::rbf) {
    prepared.norms.resize(x.cols());
    in_blocks(x.cols(), threads, [&](Index i) {
      const Eigen::Map<const VectorOf<Scalar>> sample(prepared.sample(i), x.rows());
      prepared.norms(i) = static_cast<Scalar>(sample.template cast<double>().squaredNorm());
    });
  }
  if (scales_by_lengths(kernel_)) {
    prepared.factors = length_factors(kernel_, squared_norms<Scalar>(x)).template cast<Scalar>();
  }
  prepared.diagonal = diagonal(x);
  return prepared;
}

template <class Scalar>
PreparedSamples<Scalar> TileKernel<Scalar>::prepare_alone(const MatrixView<Scalar>& x, int threads) const {
  const VectorOf<Scalar> far_away = pivot(x);
  const std::vector<Index> used = far_away.size() == 0 ? used_features<Scalar>(x) : std::vector<Index>();
  const auto count = static_cast<Index>(used.size());
  const bool worth_a_copy =
      count > 0 && static_cast<double>(count) < few_enough * static_cast<double>(x.rows());
  if (!worth_a_copy) return prepare(x, far_away, threads);
  std::shared_ptr<Scalar[]> copy = large_array<Scalar>(count * x.cols());
  in_blocks(x.cols(), threads, [&](Index i) {
    const Scalar* from = x.data() + i * x.outerStride();
    Scalar* to = copy.get() + i * count;
    for (const Index feature : used) *to++ = from[feature];
  });
  const Eigen::Map<const MatrixOf<Scalar>> compact(copy.get(), count, x.cols());
  PreparedSamples<Scalar> prepared = prepare(compact, {}, threads);
  prepared.copy = std::move(copy);
  return prepared;
}

template <class Scalar>
VectorOf<Scalar> TileKernel<Scalar>::diagonal(const MatrixView<Scalar>& x) const {
  if (kernel_.kind == KernelKind::rbf || kernel_.kind == KernelKind::laplacian) {
    return VectorOf<Scalar>::Ones(x.cols());
  }
  return self_similarities(kernel_, squared_norms<Scalar>(x)).template cast<Scalar>();
}

template <class Scalar>
void TileKernel<Scalar>::finish(const PreparedSamples<Scalar>& x, Index row, Index rows,
                                const PreparedSamples<Scalar>& y, Index column, Scalar* values) const {
  const auto gamma = static_cast<Scalar>(kernel_.gamma);
  const auto coef0 = static_cast<Scalar>(kernel_.coef0);
  switch (kernel_.kind) {
    case KernelKind::rbf:
      functions_.rbf(rows, values, x.norms.data() + row, y.norms(column), gamma);
      break;
    case KernelKind::laplacian:
      functions_.laplacian(rows, values, gamma);
      break;
    case KernelKind::poly:
      functions_.poly(rows, values, gamma, coef0, kernel_.degree);
      break;
    case KernelKind::sigmoid:
      functions_.sigmoid(rows, values, gamma, coef0);
      break;
    case KernelKind::linear:
    case KernelKind::cosine:
      break;
  }
  if (x.factors.size() > 0) functions_.scale(rows, values, x.factors.data() + row, y.factors(column));
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
  for (Index j = 0; j < tile.columns; ++j) {
    finish(x, tile.row, tile.rows, y, tile.column + j, out + j * stride);
  }
}

template <class Scalar>
void TileKernel<Scalar>::symmetric(const PreparedSamples<Scalar>& x, const Tile& tile, Scalar* out,
                                   Index stride, double* row_sums) const {
  compare(x, x, tile, out, stride);
  const bool diagonal = tile.row == tile.column;
  for (Index j = 0; j < tile.columns; ++j) {
    const Index below = diagonal ? j + 1 : 0;  // first row that stands for itself and its mirror
    const Index row = tile.row + below, rows = tile.rows - below, column = tile.column + j;
    Scalar* values = out + below + j * stride;
    finish(x, row, rows, x, column, values);
    if (diagonal) out[j + j * stride] = x.diagonal(column);
    if (row_sums == nullptr) continue;
    if (diagonal) row_sums[column] += x.diagonal(column);
    row_sums[column] += functions_.add_to(rows, values, row_sums + row);
  }
  if (diagonal) mirror(tile.rows, out, stride);
}

template <class Scalar>
std::vector<Index> used_features(const MatrixView<Scalar>& x) {
  std::vector<Index> empty(static_cast<std::size_t>(x.rows()));
  std::iota(empty.begin(), empty.end(), Index{0});
  for (Index i = 0; i < x.cols() && !empty.empty(); ++i) {
    const Scalar* sample = x.data() + i * x.outerStride();
    std::erase_if(empty, [&](Index feature) { return sample[feature] != 0; });
  }
  std::vector<Index> used;
  auto next_empty = empty.begin();
  for (Index feature = 0; feature < x.rows(); ++feature) {
    if (next_empty != empty.end() && *next_empty == feature) {
      ++next_empty;
    } else {
      used.push_back(feature);
    }
  }
  return used;
}

template std::vector<Index> used_features(const MatrixView<double>&);
template std::vector<Index> used_features(const MatrixView<float>&);
template class TileKernel<double>;
template class TileKernel<float>;

}  // namespace choir
