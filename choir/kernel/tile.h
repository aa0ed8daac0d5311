// One tile of a kernel matrix: a GEMM (or L1 distances) and one pass of the kernel's function.
//
//   const TileKernel<double> evaluate(kernel);
//   const auto samples = evaluate.prepare(x, evaluate.pivot(x), threads);     // once
//   evaluate(samples, samples, tile, out, stride);                            // per tile
#pragma once

#include "choir/kernel/kernel.h"
#include "choir/kernel/simd/column_functions.h"
#include "choir/kernel/tiling.h"
#include "choir/linalg/types.h"

namespace choir {

// A sample set with what its tiles need of each sample. Refers to the caller's samples unless they had to
// be shifted.
template <class Scalar>
struct PreparedSamples {
  const Scalar* data = nullptr;  // features x count
  Index features = 0;
  Index count = 0;
  Index stride = 0;
  MatrixOf<Scalar> shifted;   // rbf: the samples minus the pivot
  VectorOf<Scalar> norms;     // rbf: their squared norms
  VectorOf<Scalar> factors;   // cosine, normalized: what rows and columns are multiplied by
  VectorOf<Scalar> diagonal;  // k(x_i, x_i)

  const Scalar* sample(Index i) const { return data + i * stride; }
};

template <class Scalar>
class TileKernel {
 public:
  explicit TileKernel(const Kernel& kernel);  // throws Error(InvalidArgument) if it is not valid

  // What samples are shifted by. Distances do not feel it, but x'x + y'y - 2x'y loses digits when samples
  // lie far from the origin. Both sample sets of a tile must be prepared with the same pivot.
  VectorOf<Scalar> pivot(const MatrixView<Scalar>& x) const;

  // Throws Error(BadData) if the kernel is to be normalized and some k(x,x) is not positive.
  PreparedSamples<Scalar> prepare(const MatrixView<Scalar>& x, const VectorOf<Scalar>& pivot,
                                  int threads) const;

  // k(x_i, x_i), N.
  VectorOf<Scalar> diagonal(const MatrixView<Scalar>& x) const;

  // out(i, j) = k(x_{row + i}, y_{column + j}) of two different sets.
  void operator()(const PreparedSamples<Scalar>& x, const PreparedSamples<Scalar>& y, const Tile& tile,
                  Scalar* out, Index stride) const;

  // The same for a tile of the triangle of one set: exactly symmetric on the diagonal, k(x,x) exact.
  void symmetric(const PreparedSamples<Scalar>& x, const Tile& tile, Scalar* out, Index stride) const;

  // Adds a tile of the triangle to the row sums of the whole matrix, and its transpose.
  void add_row_sums(const Tile& tile, const Scalar* values, Index stride, double* sums) const;

 private:
  bool has_factors() const;
  void shift(const MatrixView<Scalar>& x, const VectorOf<Scalar>& pivot, int threads,
             PreparedSamples<Scalar>& prepared) const;
  VectorOf<Scalar> factors(const MatrixView<Scalar>& x) const;
  // x'y, or distances for laplacian; only the lower triangle of a diagonal tile of one set.
  void compare(const PreparedSamples<Scalar>& x, const PreparedSamples<Scalar>& y, const Tile& tile,
               Scalar* out, Index stride) const;
  // The kernel's function over what compare() left; column j from row first_row(j).
  template <class FirstRow>
  void finish(const PreparedSamples<Scalar>& x, const PreparedSamples<Scalar>& y, const Tile& tile,
              Scalar* out, Index stride, FirstRow first_row) const;

  Kernel kernel_;
  const ColumnFunctions<Scalar>& functions_;
};

}  // namespace choir
