// y = A x for a symmetric matrix given by the tiles of its lower triangle. Each tile is asked for once and
// serves for both A x and A'x.
#pragma once

#include <functional>
#include <vector>

#include "choir/kernel/tiling.h"
#include "choir/linalg/types.h"

namespace choir {

// The values of tile t, column-major, as many rows apart as the tile has; scratch is the calling thread's.
template <class Scalar>
using TileSource = std::function<const Scalar*(Index t, std::vector<Scalar>& scratch)>;

// tiles: triangle_tiles(x.rows()). Bits do not depend on the number of threads.
template <class Scalar>
void triangle_product(const std::vector<Tile>& tiles, const TileSource<Scalar>& source, int threads,
                      const MatrixView<Scalar>& x, MatrixSpan<Scalar> y);

}  // namespace choir
