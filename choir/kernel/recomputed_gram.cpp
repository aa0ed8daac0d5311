#include <algorithm>

#include "choir/kernel/gram.h"
#include "choir/kernel/row_sums.h"
#include "choir/kernel/triangle_product.h"

namespace choir {
namespace {

template <class Scalar>
Scalar* room_for(const Tile& tile, std::vector<Scalar>& scratch) {
  scratch.resize(std::max(scratch.size(), static_cast<std::size_t>(tile.rows * tile.columns)));
  return scratch.data();
}

}  // namespace

template <class Scalar>
struct RecomputedGram<Scalar>::Parts {
  TileKernel<Scalar> evaluate;
  PreparedSamples<Scalar> samples;
  std::vector<Tile> tiles;
};

template <class Scalar>
RecomputedGram<Scalar>::RecomputedGram(const Kernel& kernel, const MatrixView<Scalar>& x,
                                       const GramOptions& options)
    : size_(x.cols()), threads_(options.threads) {
  const TileKernel<Scalar> evaluate(kernel);
  parts_ = std::make_shared<const Parts>(
      Parts{evaluate, evaluate.prepare_alone(x, options.threads), triangle_tiles(x.cols())});
  diagonal_ = parts_->samples.diagonal.template cast<double>();
  row_sums_ = evaluate_triangle<Scalar>(
      size_, writer_of(parts_->evaluate, parts_->samples), parts_->tiles,
      [this](Index t, std::vector<Scalar>& scratch) {
        return room_for(parts_->tiles[static_cast<std::size_t>(t)], scratch);
      },
      options.threads, options.watch);
  stop_ = options.watch.stop;
}

template <class Scalar>
void RecomputedGram<Scalar>::apply(const MatrixView<Scalar>& x, MatrixSpan<Scalar> y) const {
  const Watch watch{.progress = {}, .stop = stop_};
  triangle_product<Scalar>(
      parts_->tiles,
      [&](Index t, std::vector<Scalar>& scratch) -> const Scalar* {
        watch.report("kernel matrix", t, static_cast<Index>(parts_->tiles.size()));
        const Tile& tile = parts_->tiles[static_cast<std::size_t>(t)];
        Scalar* values = room_for(tile, scratch);
        parts_->evaluate.symmetric(parts_->samples, tile, values, tile.rows, nullptr);
        return values;
      },
      threads_, x, y);
}

template class RecomputedGram<double>;
template class RecomputedGram<float>;

}  // namespace choir
