// The pass over a triangle that makes its row sums, whether its tiles are kept or not.
#pragma once

#include <functional>
#include <vector>

#include "choir/base/progress.h"
#include "choir/kernel/tile.h"

namespace choir {

// Where tile t is to be written, as many rows apart as the tile has; scratch is the calling thread's.
template <class Scalar>
using TileSink = std::function<Scalar*(Index t, std::vector<Scalar>& scratch)>;

// Writes a tile, its rows beside each other, and adds it and its mirror image to the row sums of the whole
// matrix.
template <class Scalar>
using TileWriter = std::function<void(const Tile& tile, Scalar* out, double* row_sums)>;

// Writes every tile of triangle_tiles(size) into its place and returns the row sums of the whole matrix,
// added in double, with the same bits on any number of threads. Throws Error(Numerical) if one of them is not
// finite.
template <class Scalar>
Vector evaluate_triangle(Index size, const TileWriter<Scalar>& write, const std::vector<Tile>& tiles,
                         const TileSink<Scalar>& sink, int threads, const Watch& watch);

// The tiles of a kernel's matrix.
template <class Scalar>
TileWriter<Scalar> writer_of(const TileKernel<Scalar>& evaluate, const PreparedSamples<Scalar>& samples) {
  return [&evaluate, &samples](const Tile& tile, Scalar* out, double* row_sums) {
    evaluate.symmetric(samples, tile, out, tile.rows, row_sums);
  };
}

}  // namespace choir
