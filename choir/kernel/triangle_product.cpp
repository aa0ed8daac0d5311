#include "choir/kernel/triangle_product.h"

#include <algorithm>

#include <cblas.h>

#include "choir/base/parallel.h"

namespace choir {
namespace {

constexpr Index columns_at_once = 64;
constexpr Index strip_bytes = 256 * 1024;  // what is read twice has to stay in the second-level cache
constexpr Index rows_at_once = 1024;       // when lanes are added up

blasint blas(Index size) { return static_cast<blasint>(size); }

// y += A x or A'x; A is rows x columns.
void add_product(CBLAS_TRANSPOSE transpose, Index rows, Index columns, const double* a, Index a_stride,
                 Index count, const double* x, Index x_stride, double* y, Index y_stride) {
  if (count == 1) {
    cblas_dgemv(CblasColMajor, transpose, blas(rows), blas(columns), 1.0, a, blas(a_stride), x, 1, 1.0, y, 1);
    return;
  }
  const Index out = transpose == CblasTrans ? columns : rows;
  const Index in = transpose == CblasTrans ? rows : columns;
  cblas_dgemm(CblasColMajor, transpose, CblasNoTrans, blas(out), blas(count), blas(in), 1.0, a,
              blas(a_stride), x, blas(x_stride), 1.0, y, blas(y_stride));
}

void add_product(CBLAS_TRANSPOSE transpose, Index rows, Index columns, const float* a, Index a_stride,
                 Index count, const float* x, Index x_stride, float* y, Index y_stride) {
  if (count == 1) {
    cblas_sgemv(CblasColMajor, transpose, blas(rows), blas(columns), 1.0F, a, blas(a_stride), x, 1, 1.0F, y,
                1);
    return;
  }
  const Index out = transpose == CblasTrans ? columns : rows;
  const Index in = transpose == CblasTrans ? rows : columns;
  cblas_sgemm(CblasColMajor, transpose, CblasNoTrans, blas(out), blas(count), blas(in), 1.0F, a,
              blas(a_stride), x, blas(x_stride), 1.0F, y, blas(y_stride));
}

// What one tile adds to the product; y starts at row `first_row` of the whole.
template <class Scalar>
void add_tile(const Tile& tile, const Scalar* values, const MatrixView<Scalar>& x, MatrixOf<Scalar>& y,
              Index first_row) {
  const Index strip = std::max<Index>(1, strip_bytes / (tile.rows * static_cast<Index>(sizeof(Scalar))));
  Scalar* y_rows = y.data() + tile.row - first_row;
  for (Index j = 0; j < tile.columns; j += strip) {
    const Index columns = std::min(strip, tile.columns - j);
    const Scalar* part = values + j * tile.rows;
    const Index column = tile.column + j;
    add_product(CblasNoTrans, tile.rows, columns, part, tile.rows, x.cols(), x.data() + column,
                x.outerStride(), y_rows, y.rows());
    if (tile.row == tile.column) continue;
    add_product(CblasTrans, tile.rows, columns, part, tile.rows, x.cols(), x.data() + tile.row,
                x.outerStride(), y.data() + column - first_row, y.rows());
  }
}

// What one lane adds to the product: rows first_row .. N-1.
template <class Scalar>
struct Lane {
  Index first_row = 0;
  MatrixOf<Scalar> y;
};

// Few enough that their outputs cost little beside the tiles, enough for a good number of cores.
// A power of two shares out evenly.
Index lane_count(Index size) {
  if (size >= 16384) return 16;
  if (size >= 4096) return 8;
  return size >= 1024 ? 4 : 2;
}

template <class Scalar>
void sum_lanes(const std::vector<Lane<Scalar>>& lanes, int threads, MatrixSpan<Scalar> y) {
  const Index blocks = (y.rows() + rows_at_once - 1) / rows_at_once;
  parallel_for(blocks, threads, [&](Index block) {
    const Index first = block * rows_at_once;
    const Index last = std::min(first + rows_at_once, y.rows());
    y.middleRows(first, last - first).setZero();
    for (const Lane<Scalar>& lane : lanes) {
      const Index from = std::max(first, lane.first_row);
      if (from >= last) continue;
      y.middleRows(from, last - from) += lane.y.middleRows(from - lane.first_row, last - from);
    }
  });
}

template <class Scalar>
void multiply_columns(const std::vector<Tile>& tiles, const std::vector<TileRange>& ranges,
                      const TileSource<Scalar>& source, int threads, const MatrixView<Scalar>& x,
                      MatrixSpan<Scalar> y) {
  std::vector<Lane<Scalar>> lanes(ranges.size());
  parallel_for(static_cast<Index>(ranges.size()), threads, [&](Index l) {
    const TileRange& range = ranges[static_cast<std::size_t>(l)];
    Lane<Scalar>& lane = lanes[static_cast<std::size_t>(l)];
    lane.first_row = tiles[static_cast<std::size_t>(range.first)].column;  // tiles lie below it
    lane.y.setZero(x.rows() - lane.first_row, x.cols());
    std::vector<Scalar> scratch;
    for (Index t = range.first; t < range.last; ++t) {
      add_tile(tiles[static_cast<std::size_t>(t)], source(t, scratch), x, lane.y, lane.first_row);
    }
  });
  sum_lanes<Scalar>(lanes, threads, y);
}

}  // namespace

template <class Scalar>
void triangle_product(const std::vector<Tile>& tiles, const TileSource<Scalar>& source, int threads,
                      const MatrixView<Scalar>& x, MatrixSpan<Scalar> y) {
  const std::vector<TileRange> ranges = share_out(tiles, lane_count(x.rows()));
  for (Index first = 0; first < x.cols(); first += columns_at_once) {
    const Index columns = std::min(columns_at_once, x.cols() - first);
    multiply_columns<Scalar>(tiles, ranges, source, threads, x.middleCols(first, columns),
                             y.middleCols(first, columns));
  }
}

template void triangle_product<double>(const std::vector<Tile>&, const TileSource<double>&, int,
                                       const MatrixView<double>&, MatrixSpan<double>);
template void triangle_product<float>(const std::vector<Tile>&, const TileSource<float>&, int,
                                      const MatrixView<float>&, MatrixSpan<float>);

}  // namespace choir
