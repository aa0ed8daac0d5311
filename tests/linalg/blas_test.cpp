#include "choir/linalg/blas.h"

#include <cblas.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace choir {
namespace {

TEST(BlasThreads, LastsUntilTheEndOfTheBlock) {
  const BlasThreads outer(1);
  {
    const BlasThreads inner(2);
    EXPECT_EQ(openblas_get_num_threads(), 2);
  }
  EXPECT_EQ(openblas_get_num_threads(), 1);
}

TEST(BlasDescription, NamesTheLibraryAndItsThreads) {
  const BlasThreads one(1);
  EXPECT_THAT(blas_description(),
              ::testing::AllOf(::testing::StartsWith("OpenBLAS "), ::testing::EndsWith(", 1 thread)")));
  const BlasThreads two(2);
  EXPECT_THAT(blas_description(), ::testing::EndsWith(", 2 threads)"));
}

}  // namespace
}  // namespace choir
