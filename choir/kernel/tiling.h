// How a kernel matrix is cut into tiles, and how the tiles are shared out. Both depend on the number of
// samples alone, never on the number of threads: that is what keeps bits the same.
//
//   for (const Tile& tile : triangle_tiles(1000)) ...      // from row tile.row on, tile.rows of them
#pragma once

#include <mutex>
#include <vector>

#include "choir/base/progress.h"
#include "choir/base/types.h"

namespace choir {

struct Tile {
  Index row = 0;
  Index rows = 0;
  Index column = 0;
  Index columns = 0;
};

// Wide enough that GEMM runs at full speed on it, small enough to stay in cache and to keep cores busy.
Index tile_width(Index samples);

// All of a rows x columns matrix, column by column.
std::vector<Tile> rectangle_tiles(Index rows, Index columns);

// The lower triangle of a square matrix, diagonal tiles whole, column by column.
std::vector<Tile> triangle_tiles(Index size);

// Neighbouring tiles, first .. last-1 of a list.
struct TileRange {
  Index first = 0;
  Index last = 0;
};

// The list cut into at most `pieces` ranges of nearly equal area.
std::vector<TileRange> share_out(const std::vector<Tile>& tiles, Index pieces);

// Progress of tiles that finish on several threads: one report at a time, in counting order.
class TileProgress {
 public:
  TileProgress(const Watch& watch, Index total) : watch_(watch), total_(total) {}
  void tile_done();  // throws Error(Cancelled) once a stop is asked

 private:
  const Watch& watch_;
  const Index total_;
  std::mutex mutex_;
  Index done_ = 0;
};

}  // namespace choir
