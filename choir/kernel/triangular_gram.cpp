#include "choir/kernel/gram.h"
#include "choir/kernel/row_sums.h"
#include "choir/kernel/triangle_product.h"

namespace choir {

template <class Scalar>
TriangularGram<Scalar> TriangularGram<Scalar>::compute(const Kernel& kernel, const MatrixView<Scalar>& x,
                                                       const GramOptions& options) {
  const TileKernel<Scalar> evaluate(kernel);
  const PreparedSamples<Scalar> samples = evaluate.prepare(x, evaluate.pivot(x), options.threads);

  TriangularGram result;
  result.size_ = x.cols();
  result.threads_ = options.threads;
  result.tiles_ = triangle_tiles(x.cols());
  result.values_.resize(result.tiles_.size());
  result.diagonal_ = samples.diagonal.template cast<double>();
  result.row_sums_ = evaluate_triangle<Scalar>(
      evaluate, samples, result.tiles_,
      [&](Index t, std::vector<Scalar>&) {
        const Tile& tile = result.tiles_[static_cast<std::size_t>(t)];
        MatrixOf<Scalar>& values = result.values_[static_cast<std::size_t>(t)];
        values.resize(tile.rows, tile.columns);
        return values.data();
      },
      options.threads, options.watch);
  return result;
}

template <class Scalar>
double TriangularGram<Scalar>::bytes_needed(Index samples) {
  double values = 0;
  for (const Tile& tile : triangle_tiles(samples)) values += static_cast<double>(tile.rows * tile.columns);
  return values * static_cast<double>(sizeof(Scalar));
}

template <class Scalar>
void TriangularGram<Scalar>::apply(const MatrixView<Scalar>& x, MatrixSpan<Scalar> y) const {
  triangle_product<Scalar>(
      tiles_,
      [this](Index t, std::vector<Scalar>&) -> const Scalar* {
        return values_[static_cast<std::size_t>(t)].data();
      },
      threads_, x, y);
}

template <class Scalar>
MatrixOf<Scalar> TriangularGram<Scalar>::dense() const {
  MatrixOf<Scalar> full(size_, size_);
  for (std::size_t t = 0; t < tiles_.size(); ++t) {
    const Tile& tile = tiles_[t];
    full.block(tile.row, tile.column, tile.rows, tile.columns) = values_[t];
    full.block(tile.column, tile.row, tile.columns, tile.rows) = values_[t].transpose();
  }
  return full;
}

template class TriangularGram<double>;
template class TriangularGram<float>;

}  // namespace choir
