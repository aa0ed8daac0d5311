#include "choir/kernel/gram.h"
#include "choir/kernel/large_array.h"
#include "choir/kernel/row_sums.h"
#include "choir/kernel/triangle_product.h"

namespace choir {

template <class Scalar>
TriangularGram<Scalar> TriangularGram<Scalar>::compute(const Kernel& kernel, const MatrixView<Scalar>& x,
                                                       const GramOptions& options) {
  const TileKernel<Scalar> evaluate(kernel);
  const PreparedSamples<Scalar> samples = evaluate.prepare_alone(x, options.threads);

  TriangularGram result;
  result.size_ = x.cols();
  result.threads_ = options.threads;
  result.tiles_ = triangle_tiles(x.cols());
  Index total = 0;
  for (const Tile& tile : result.tiles_) {
    result.offsets_.push_back(total);
    total += tile.rows * tile.columns;
  }
  const std::shared_ptr<Scalar[]> values = large_array<Scalar>(total);
  const auto place = [&](Index t, std::vector<Scalar>&) {
    return values.get() + result.offsets_[static_cast<std::size_t>(t)];
  };
  result.row_sums_ =
      evaluate_triangle<Scalar>(evaluate, samples, result.tiles_, place, options.threads, options.watch);
  result.diagonal_ = samples.diagonal.template cast<double>();
  result.values_ = values;
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
        return values_.get() + offsets_[static_cast<std::size_t>(t)];
      },
      threads_, x, y);
}

template <class Scalar>
MatrixOf<Scalar> TriangularGram<Scalar>::dense() const {
  MatrixOf<Scalar> full(size_, size_);
  for (std::size_t t = 0; t < tiles_.size(); ++t) {
    const Tile& tile = tiles_[t];
    const Eigen::Map<const MatrixOf<Scalar>> values(values_.get() + offsets_[t], tile.rows, tile.columns);
    full.block(tile.row, tile.column, tile.rows, tile.columns) = values;
    full.block(tile.column, tile.row, tile.columns, tile.rows) = values.transpose();
  }
  return full;
}

template class TriangularGram<double>;
template class TriangularGram<float>;

}  // namespace choir
