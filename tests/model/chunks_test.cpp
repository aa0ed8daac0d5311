#include "choir/model/chunks.h"

#include <vector>

#include "model/support.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

TEST(Chunks, StayWithinTheirMemory) {
  EXPECT_EQ(chunk_size(1), 8192);
  EXPECT_EQ(chunk_size(0), 8192);
  EXPECT_EQ(chunk_size(Index{1} << 40), 64);
  for (const Index width : {Index{3000}, Index{8000}, Index{200'000}})
    EXPECT_LE(chunk_size(width) * width, Index{1} << 24);
}

TEST(Chunks, CoverEverySampleOnce) {
  for (const Index samples : {Index{0}, Index{1}, Index{8192}, Index{8193}, Index{20'000}}) {
    Index next = 0;
    for_each_chunk(samples, 1, [&](Index first, Index count) {
      EXPECT_EQ(first, next);
      EXPECT_GT(count, 0);
      next = first + count;
    });
    EXPECT_EQ(next, samples);
  }
}

TEST(Chunks, ProductsDoNotDependOnThreads) {
  const Matrix a = normal_samples(7, 30, 1), b = normal_samples(30, 500, 2);
  const Matrix one = multiply(a, b, 1);
  EXPECT_LT(largest(one - a.lazyProduct(b)), 1e-12);
  EXPECT_EQ(one, multiply(a, b, 4));
  EXPECT_EQ(multiply(a, Matrix(30, 0), 2).cols(), 0);
}

}  // namespace
}  // namespace choir
