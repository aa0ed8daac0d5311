#include "kernel/kernels.h"
#include "kernel/support.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/kernel/gram.h"

namespace choir {
namespace {

template <class Scalar>
void expect_the_same_as_the_stored_matrix(const Kernel& kernel, Index size, int threads) {
  const MatrixOf<Scalar> x = normal_samples(9, size, 40).cast<Scalar>();
  const auto stored = TriangularGram<Scalar>::compute(kernel, x);
  const RecomputedGram<Scalar> recomputed(kernel, x, {.threads = threads});
  EXPECT_EQ(recomputed.rows(), size);
  EXPECT_EQ(recomputed.row_sums(), stored.row_sums());
  EXPECT_EQ(recomputed.diagonal(), stored.diagonal());
  for (const Index columns : {1, 14}) {
    const MatrixOf<Scalar> block = normal_samples(size, columns, 41).cast<Scalar>();
    MatrixOf<Scalar> expected(size, columns), got(size, columns);
    stored.apply(block, expected);
    recomputed.apply(block, got);
    EXPECT_EQ(got, expected) << describe(kernel);
  }
}

TEST(RecomputedGram, HasTheBitsOfTheStoredMatrix) {
  for (const Kernel& kernel : every_kernel()) {
    expect_the_same_as_the_stored_matrix<double>(kernel, 700, 1);
    expect_the_same_as_the_stored_matrix<double>(kernel, 300, 3);
    expect_the_same_as_the_stored_matrix<float>(kernel, 300, 1);
  }
}

TEST(RecomputedGram, AProductStopsOnRequest) {
  const Samples x = normal_samples(9, 100, 42);
  std::stop_source stop;
  const RecomputedGram<double> recomputed({}, x, {.watch = {.progress = {}, .stop = stop.get_token()}});
  Matrix y(100, 1);
  recomputed.apply(Matrix::Ones(100, 1), y);
  stop.request_stop();
  EXPECT_THAT(message_of([&] { recomputed.apply(Matrix::Ones(100, 1), y); }),
              ::testing::HasSubstr("stopped"));
}

}  // namespace
}  // namespace choir
