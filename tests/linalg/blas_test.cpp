#include "choir/linalg/blas.h"

#include <memory>

#include <cblas.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/parallel.h"

namespace choir {
namespace {

TEST(SingleThreadedBlas, GivesBackWhatWasThere) {
  openblas_set_num_threads(2);
  {
    const SingleThreadedBlas outer;
    EXPECT_EQ(blas_threads(), 1);
    { const SingleThreadedBlas inner; }
    EXPECT_EQ(blas_threads(), 1) << "the outer scope is still open";
  }
  EXPECT_EQ(blas_threads(), 2);
}

TEST(SingleThreadedBlas, ScopesMayOverlap) {
  openblas_set_num_threads(2);
  auto first = std::make_unique<SingleThreadedBlas>();
  auto second = std::make_unique<SingleThreadedBlas>();
  first.reset();
  EXPECT_EQ(blas_threads(), 1);
  second.reset();
  EXPECT_EQ(blas_threads(), 2);
}

TEST(SingleThreadedBlas, MayBeOpenedByManyThreads) {
  openblas_set_num_threads(2);
  parallel_for(64, 4, [](Index) {
    const SingleThreadedBlas scope;
    EXPECT_EQ(blas_threads(), 1);
  });
  EXPECT_EQ(blas_threads(), 2);
}

TEST(BlasDescription, NamesTheLibrary) {
  EXPECT_THAT(blas_description(), ::testing::HasSubstr("OpenBLAS 0."));
}

}  // namespace
}  // namespace choir
