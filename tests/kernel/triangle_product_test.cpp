#include "choir/kernel/triangle_product.h"

#include "kernel/support.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

TEST(TriangleProduct, AsksForEachTileOnceAndMultipliesByBothTriangles) {
  const Index size = 1100;
  const Matrix half = normal_samples(size, size, 120);
  const Matrix symmetric = half + half.transpose();
  const auto tiles = triangle_tiles(size);
  const Matrix x = normal_samples(size, 3, 121);
  Matrix first(size, 3);
  for (const int threads : {1, 2, 5}) {
    std::vector<int> asked(tiles.size());
    const TileSource<double> source = [&](Index t, std::vector<double>& scratch) -> const double* {
      const Tile& tile = tiles[static_cast<std::size_t>(t)];
      ++asked[static_cast<std::size_t>(t)];
      scratch.resize(static_cast<std::size_t>(tile.rows * tile.columns));
      Eigen::Map<Matrix>(scratch.data(), tile.rows, tile.columns) =
          symmetric.block(tile.row, tile.column, tile.rows, tile.columns);
      return scratch.data();
    };
    Matrix y(size, 3);
    triangle_product<double>(tiles, source, threads, x, y);
    EXPECT_LE(largest_difference(y, symmetric * x), 1e-10);
    EXPECT_EQ(asked, std::vector<int>(tiles.size(), 1));
    if (threads == 1) first = y;
    EXPECT_EQ(y, first);
  }
}

}  // namespace
}  // namespace choir
