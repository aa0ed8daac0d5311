#include "choir/kernel/row_sums.h"

#include <cmath>

#include "choir/base/error.h"
#include "choir/base/parallel.h"

namespace choir {
namespace {

// Each piece adds its tiles into row sums of its own: enough pieces to keep cores busy, little memory.
constexpr Index most_pieces = 64;

void require_finite(const Vector& row_sums) {
  for (Index i = 0; i < row_sums.size(); ++i) {
    if (std::isfinite(row_sums(i))) continue;
    fail(ErrorCategory::Numerical,
         "the kernel matrix has a value that is not a finite number in row {}; look for NaN or very large "
         "values in sample {} and choose a smaller gamma or degree",
         i, i);
  }
}

}  // namespace

template <class Scalar>
Vector evaluate_triangle(Index size, const TileWriter<Scalar>& write, const std::vector<Tile>& tiles,
                         const TileSink<Scalar>& sink, int threads, const Watch& watch) {
  const std::vector<TileRange> pieces = share_out(tiles, most_pieces);
  std::vector<Vector> sums(pieces.size());
  TileProgress progress(watch, static_cast<Index>(tiles.size()));
  parallel_for(static_cast<Index>(pieces.size()), threads, [&](Index p) {
    const TileRange& piece = pieces[static_cast<std::size_t>(p)];
    Vector& own = sums[static_cast<std::size_t>(p)];
    own.setZero(size);
    std::vector<Scalar> scratch;
    for (Index t = piece.first; t < piece.last; ++t) {
      const Tile& tile = tiles[static_cast<std::size_t>(t)];
      write(tile, sink(t, scratch), own.data());
      progress.tile_done();
    }
  });
  Vector total = Vector::Zero(size);
  for (const Vector& own : sums) total += own;
  require_finite(total);
  return total;
}

template Vector evaluate_triangle<double>(Index, const TileWriter<double>&, const std::vector<Tile>&,
                                          const TileSink<double>&, int, const Watch&);
template Vector evaluate_triangle<float>(Index, const TileWriter<float>&, const std::vector<Tile>&,
                                         const TileSink<float>&, int, const Watch&);

}  // namespace choir
