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
  TriangularGram result = written(x.cols(), writer_of(evaluate, samples), options);
  result.diagonal_ = samples.diagonal.template cast<double>();
  return result;
}

template <class Scalar>
TriangularGram<Scalar> TriangularGram<Scalar>::from_tiles(Index size, const WriteTile& write,
                                                          const GramOptions& options) {
  const auto& functions = column_functions<Scalar>();
  const TileWriter<Scalar> add_up = [&](const Tile& tile, Scalar* out, double* row_sums) {
    write(tile, out);
    const bool diagonal = tile.row == tile.column;  // holds both halves
    Vector unused = Vector::Zero(diagonal ? tile.rows : 0);
    for (Index j = 0; j < tile.columns; ++j) {
      double* rows = diagonal ? unused.data() : row_sums + tile.row;
      row_sums[tile.column + j] += functions.add_to(tile.rows, out + j * tile.rows, rows);
    }
  };
  TriangularGram result = written(size, add_up, options);
  result.diagonal_.resize(size);
  for (std::size_t t = 0; t < result.tiles_.size(); ++t) {
    const Tile& tile = result.tiles_[t];
    if (tile.row != tile.column) continue;
    const Eigen::Map<const MatrixOf<Scalar>> values(result.values_.get() + result.offsets_[t], tile.rows,
                                                    tile.columns);
    result.diagonal_.segment(tile.row, tile.rows) = values.diagonal().template cast<double>();
  }
  return result;
}

template <class Scalar>
TriangularGram<Scalar> TriangularGram<Scalar>::written(Index size, const TileWriter<Scalar>& write,
                                                       const GramOptions& options) {
  TriangularGram result;
  result.size_ = size;
  result.threads_ = options.threads;
  result.tiles_ = triangle_tiles(size);
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
      evaluate_triangle<Scalar>(size, write, result.tiles_, place, options.threads, options.watch);
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
