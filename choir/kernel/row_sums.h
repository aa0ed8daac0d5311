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

// Computes every tile of triangle_tiles(samples.count) into its place and returns the row sums of the whole
// matrix, added in double, with the same bits on any number of threads.
// Throws Error(Numerical) if one of them is not finite.
template <class Scalar>
Vector evaluate_triangle(const TileKernel<Scalar>& evaluate, const PreparedSamples<Scalar>& samples,
                         const std::vector<Tile>& tiles, const TileSink<Scalar>& sink, int threads,
                         const Watch& watch);

}  // namespace choir
