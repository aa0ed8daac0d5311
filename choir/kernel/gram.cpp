#include "choir/kernel/gram.h"

#include "choir/base/error.h"
#include "choir/base/parallel.h"
#include "choir/kernel/tile.h"

namespace choir {

template <class Scalar>
MatrixOf<Scalar> gram(const Kernel& kernel, const MatrixView<Scalar>& x, const MatrixView<Scalar>& y,
                      const GramOptions& options) {
  if (x.rows() != y.rows()) {
    fail(ErrorCategory::InvalidArgument,
         "one sample set has {} features and the other has {}; a kernel needs the same features in both",
         x.rows(), y.rows());
  }
  const TileKernel<Scalar> evaluate(kernel);
  // The larger set gives the pivot, so that a single new point is compared as its training set was.
  const VectorOf<Scalar> pivot = evaluate.pivot(x.cols() > y.cols() ? x : y);
  const PreparedSamples<Scalar> left = evaluate.prepare(x, pivot, options.threads);
  const PreparedSamples<Scalar> right = evaluate.prepare(y, pivot, options.threads);

  MatrixOf<Scalar> result(x.cols(), y.cols());
  const std::vector<Tile> tiles = rectangle_tiles(x.cols(), y.cols());
  TileProgress progress(options.watch, static_cast<Index>(tiles.size()));
  parallel_for(static_cast<Index>(tiles.size()), options.threads, [&](Index t) {
    const Tile& tile = tiles[static_cast<std::size_t>(t)];
    evaluate(left, right, tile, &result(tile.row, tile.column), result.rows());
    progress.tile_done();
  });
  return result;
}

template <class Scalar>
VectorOf<Scalar> gram_diagonal(const Kernel& kernel, const MatrixView<Scalar>& x) {
  return TileKernel<Scalar>(kernel).diagonal(x);
}

template MatrixOf<double> gram<double>(const Kernel&, const MatrixView<double>&, const MatrixView<double>&,
                                       const GramOptions&);
template MatrixOf<float> gram<float>(const Kernel&, const MatrixView<float>&, const MatrixView<float>&,
                                     const GramOptions&);
template VectorOf<double> gram_diagonal<double>(const Kernel&, const MatrixView<double>&);
template VectorOf<float> gram_diagonal<float>(const Kernel&, const MatrixView<float>&);

}  // namespace choir
