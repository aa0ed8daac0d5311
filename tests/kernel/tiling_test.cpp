#include "choir/kernel/tiling.h"

#include <gtest/gtest.h>

#include "choir/linalg/types.h"

namespace choir {
namespace {

constexpr Index tiled_sizes[] = {0, 1, 127, 128, 129, 1000, 1030, 3100};

// How often each entry is covered.
Matrix coverage(const std::vector<Tile>& tiles, Index rows, Index columns) {
  Matrix count = Matrix::Zero(rows, columns);
  for (const Tile& tile : tiles) {
    count.block(tile.row, tile.column, tile.rows, tile.columns).array() += 1;
  }
  return count;
}

TEST(Tiling, RectanglesAreCoveredOnce) {
  for (const Index rows : tiled_sizes) {
    EXPECT_EQ(coverage(rectangle_tiles(rows, 300), rows, 300), Matrix::Ones(rows, 300));
  }
}

TEST(Tiling, TrianglesAreCoveredOnceAndDiagonalTilesAreSquare) {
  for (const Index size : tiled_sizes) {
    const auto tiles = triangle_tiles(size);
    Matrix both = coverage(tiles, size, size);
    for (const Tile& tile : tiles) {
      if (tile.row == tile.column) {
        EXPECT_EQ(tile.rows, tile.columns);
      } else {
        both.block(tile.column, tile.row, tile.columns, tile.rows).array() += 1;
      }
    }
    EXPECT_EQ(both, Matrix::Ones(size, size));
  }
}

TEST(Tiling, SharesAreContiguousCompleteAndNearlyEqual) {
  for (const Index size : tiled_sizes) {
    const auto tiles = triangle_tiles(size);
    for (const Index pieces : {1, 2, 8, 64}) {
      const auto ranges = share_out(tiles, pieces);
      EXPECT_LE(static_cast<Index>(ranges.size()), pieces);
      Index next = 0;
      for (const TileRange& range : ranges) {
        EXPECT_EQ(range.first, next);
        EXPECT_GT(range.last, range.first);
        next = range.last;
      }
      EXPECT_EQ(next, static_cast<Index>(tiles.size()));
    }
  }
  const auto tiles = triangle_tiles(20000);
  double total = 0;
  for (const Tile& tile : tiles) total += static_cast<double>(tile.rows * tile.columns);
  for (const TileRange& range : share_out(tiles, 16)) {
    double area = 0;
    for (Index t = range.first; t < range.last; ++t) {
      const Tile& tile = tiles[static_cast<std::size_t>(t)];
      area += static_cast<double>(tile.rows * tile.columns);
    }
    EXPECT_NEAR(area, total / 16, 768.0 * 768.0);
  }
}

}  // namespace
}  // namespace choir
