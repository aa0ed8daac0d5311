// One tile of a kernel matrix: a GEMM (or L1 distances) and one pass of the kernel's function.
//
//   const TileKernel<double> evaluate(kernel);
//   const auto samples = evaluate.prepare(x, evaluate.pivot(x), threads);     // once
//   evaluate(samples, samples, tile, out, stride);                            // per tile
#pragma once

#include <memory>

#include "choir/kernel/kernel.h"
#include "choir/kernel/simd/column_functions.h"
#include "choir/kernel/tiling.h"
#include "choir/linalg/types.h"

namespace choir {

// A sample set with what its tiles need of each sample. Refers to the caller's samples unless it was better
// to copy them.
template <class Scalar>
struct PreparedSamples {
  const Scalar* data = nullptr;  // features x count
  Index features = 0;
  Index count = 0;
  Index stride = 0;
  std::shared_ptr<Scalar[]> copy;  // rbf: the samples minus the pivot; or without their empty features
  VectorOf<Scalar> norms;          // rbf: their squared norms
  VectorOf<Scalar> factors;        // cosine, normalized: what rows and columns are multiplied by
  VectorOf<Scalar> diagonal;       // k(x_i, x_i)

  const Scalar* sample(Index i) const { return data + i * stride; }
};

template <class Scalar>
class TileKernel {
 public:
  explicit TileKernel(const Kernel& kernel);  // throws Error(InvalidArgument) if it is not valid

  // What samples are shifted by. Distances do not feel it, but x'x + y'y - 2x'y loses digits when samples
  // lie far from the origin. Empty: no need. Both sample sets of a tile must be prepared with the same pivot.
  VectorOf<Scalar> pivot(const MatrixView<Scalar>& x) const;

  // Throws Error(BadData) if the kernel is to be normalized and some k(x,x) is not positive.
  PreparedSamples<Scalar> prepare(const MatrixView<Scalar>& x, const VectorOf<Scalar>& pivot,
                                  int threads) const;

  // The same for a set that is compared with itself only. Features that are zero in every sample (the margins
  // of images: 117 of 784 in 8000 digits) add nothing to any product or distance and are left out of the
  // work.
  PreparedSamples<Scalar> prepare_alone(const MatrixView<Scalar>& x, int threads) const;

  // k(x_i, x_i), N.
  VectorOf<Scalar> diagonal(const MatrixView<Scalar>& x) const;

  // out(i, j) = k(x_{row + i}, y_{column + j}) of two different sets.
  void operator()(const PreparedSamples<Scalar>& x, const PreparedSamples<Scalar>& y, const Tile& tile,
                  Scalar* out, Index stride) const;

  // The same for a tile of the triangle of one set: exactly symmetric on the diagonal, k(x,x) exact.
  // Unless row_sums is null, adds the tile and its transpose to the row sums of the whole matrix, N.
  void symmetric(const PreparedSamples<Scalar>& x, const Tile& tile, Scalar* out, Index stride,
                 double* row_sums) const;

 private:
  void shift(const VectorOf<Scalar>& pivot, int threads, PreparedSamples<Scalar>& prepared) const;
  // x'y, or distances for laplacian; only the lower triangle of a diagonal tile of one set.
  void compare(const PreparedSamples<Scalar>& x, const PreparedSamples<Scalar>& y, const Tile& tile,
               Scalar* out, Index stride) const;
  // The kernel's function over what compare() left in one column, for samples x_row .. and y_column.
  void finish(const PreparedSamples<Scalar>& x, Index row, Index rows, const PreparedSamples<Scalar>& y,
              Index column, Scalar* values) const;

  Kernel kernel_;
  const ColumnFunctions<Scalar>& functions_;
};

// Features that are not zero in every sample, ascending. Ends early when there are few left to find.
template <class Scalar>
std::vector<Index> used_features(const MatrixView<Scalar>& x);

}  // namespace choir
