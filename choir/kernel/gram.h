// Kernel matrices ("Gram blocks") of sample sets, M x N each, one sample per column.
//
//   Matrix block = gram<double>(kernel, x, y);                 // N_x x N_y
//   auto lower = TriangularGram<double>::compute(kernel, x);   // symmetric: half the work, half the memory
//   lower.row_sums();                                          // from the same pass, for centring
//
// Work is a GEMM per tile and one pass of the kernel's function over the tile while it is still in cache.
// Bits do not depend on the number of threads.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

#include "choir/base/progress.h"
#include "choir/kernel/kernel.h"
#include "choir/kernel/tiling.h"
#include "choir/linalg/symmetric_operator.h"
#include "choir/linalg/types.h"

namespace choir {

struct GramOptions {
  int threads = 1;  // 0: all cores
  Watch watch = {};
};

// k(x_i, y_j), N_x x N_y. Throws Error(InvalidArgument) if the numbers of features differ.
template <class Scalar>
MatrixOf<Scalar> gram(const Kernel& kernel, const MatrixView<Scalar>& x, const MatrixView<Scalar>& y,
                      const GramOptions& options = {});

// k(x_i, x_i), N.
template <class Scalar>
VectorOf<Scalar> gram_diagonal(const Kernel& kernel, const MatrixView<Scalar>& x);

// The kernel matrix of one sample set: the tiles of its lower triangle only, so that it takes half
// the memory of a square array and half the reading in a product.
template <class Scalar>
class TriangularGram final : public SymmetricOperatorOf<Scalar> {
 public:
  static TriangularGram compute(const Kernel& kernel, const MatrixView<Scalar>& x,
                                const GramOptions& options = {});
  // Any symmetric matrix that is known tile by tile: `write` fills tile.rows x tile.columns values, column by
  // column; both halves of a tile on the diagonal. Tiles are written on several threads at a time.
  using WriteTile = std::function<void(const Tile& tile, Scalar* out)>;
  static TriangularGram from_tiles(Index size, const WriteTile& write, const GramOptions& options = {});
  // What compute() will allocate for N samples, in bytes.
  static double bytes_needed(Index samples);

  Index rows() const override { return size_; }
  void apply(const MatrixView<Scalar>& x, MatrixSpan<Scalar> y) const override;
  const Vector& row_sums() const { return row_sums_; }  // sum_j k(x_i, x_j), added in double
  const Vector& diagonal() const { return diagonal_; }
  MatrixOf<Scalar> dense() const;  // the full square matrix

 private:
  static TriangularGram written(Index size, const std::function<void(const Tile&, Scalar*, double*)>& write,
                                const GramOptions& options);

  Index size_ = 0;
  int threads_ = 1;
  std::vector<Tile> tiles_;                 // of the lower triangle
  std::vector<Index> offsets_;              // where each tile starts in values_
  std::shared_ptr<const Scalar[]> values_;  // tile after tile, each column-major
  Vector row_sums_;
  Vector diagonal_;
};

// The same matrix, never stored: tiles are recomputed in every product. For sample sets whose
// kernel matrix does not fit. x must outlive it.
template <class Scalar>
class RecomputedGram final : public SymmetricOperatorOf<Scalar> {
 public:
  RecomputedGram(const Kernel& kernel, const MatrixView<Scalar>& x, const GramOptions& options = {});

  Index rows() const override { return size_; }
  void apply(const MatrixView<Scalar>& x, MatrixSpan<Scalar> y) const override;
  const Vector& row_sums() const { return row_sums_; }
  const Vector& diagonal() const { return diagonal_; }

 private:
  struct Parts;  // samples as the kernel needs them, tiles

  Index size_ = 0;
  int threads_ = 1;
  std::stop_token stop_;
  std::shared_ptr<const Parts> parts_;
  Vector row_sums_;
  Vector diagonal_;
};

}  // namespace choir
