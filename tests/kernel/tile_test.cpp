#include "choir/kernel/tile.h"

#include "kernel/kernels.h"
#include "kernel/support.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

TEST(TileKernel, ATileIsTheSameWhereverItIsCut) {
  const Samples x = normal_samples(11, 40, 100), y = normal_samples(11, 30, 101);
  for (const Kernel& kernel : every_kernel()) {
    const TileKernel<double> evaluate(kernel);
    const Vector pivot = evaluate.pivot(y);
    const auto left = evaluate.prepare(x, pivot, 1), right = evaluate.prepare(y, pivot, 1);
    Matrix part(10, 9);
    evaluate(left, right, {5, 10, 7, 9}, part.data(), part.rows());
    EXPECT_LE(largest_difference(part, plain_gram(kernel, x.middleCols(5, 10), y.middleCols(7, 9))), 1e-12)
        << describe(kernel);
  }
}

TEST(TileKernel, DiagonalTilesAreSymmetricAndCountTheirRowsOnce) {
  const Samples x = normal_samples(11, 70, 102);
  for (const Kernel& kernel : every_kernel()) {
    const TileKernel<double> evaluate(kernel);
    const auto samples = evaluate.prepare(x, evaluate.pivot(x), 1);
    Matrix tile(50, 50);
    Vector sums = Vector::Zero(70);
    evaluate.symmetric(samples, {20, 50, 20, 50}, tile.data(), 50, sums.data());
    EXPECT_EQ(tile, tile.transpose());
    EXPECT_LE(largest_difference(tile, plain_gram(kernel, x.rightCols(50), x.rightCols(50))), 1e-12);
    EXPECT_LE(largest_difference(sums.tail(50), tile.rowwise().sum()), 1e-12);
    EXPECT_EQ(sums.head(20), Vector::Zero(20));
  }
}

TEST(TileKernel, FeaturesThatAreAlwaysZeroAreLeftOut) {
  Samples x = normal_samples(12, 40, 103);
  for (const Index feature : {0, 5, 6, 11}) x.row(feature).setZero();
  x(3, 0) = 0;  // zero in one sample only
  EXPECT_EQ(used_features<double>(x), (std::vector<Index>{1, 2, 3, 4, 7, 8, 9, 10}));
  for (const Kernel& kernel : every_kernel()) {
    const TileKernel<double> evaluate(kernel);
    const auto samples = evaluate.prepare_alone(x, 2);
    EXPECT_EQ(samples.features, 8) << describe(kernel);
    Matrix tile(40, 40);
    evaluate.symmetric(samples, {0, 40, 0, 40}, tile.data(), 40, nullptr);
    EXPECT_LE(largest_difference(tile, plain_gram(kernel, x, x)), 1e-12) << describe(kernel);
  }
}

TEST(TileKernel, NothingIsCopiedWhenEveryFeatureIsUsedOrNone) {
  const Samples dense = normal_samples(12, 40, 104);
  EXPECT_EQ(used_features<double>(dense).size(), 12u);
  const TileKernel<double> evaluate({.kind = KernelKind::linear});
  EXPECT_EQ(evaluate.prepare_alone(dense, 1).data, dense.data());
  const Samples nothing = Samples::Zero(12, 40);
  EXPECT_TRUE(used_features<double>(nothing).empty());
  EXPECT_EQ(evaluate.prepare_alone(nothing, 1).data, nothing.data());
}

TEST(TileKernel, OnlySamplesFarFromTheOriginAreShifted) {
  const Samples x = normal_samples(11, 70, 103);
  const TileKernel<double> rbf({.gamma = 0.1}), linear({.kind = KernelKind::linear});
  EXPECT_EQ(rbf.pivot(x).size(), 0);
  EXPECT_EQ(rbf.pivot((x.array() + 5).matrix()).size(), 11);
  EXPECT_EQ(linear.pivot((x.array() + 5).matrix()).size(), 0);
  EXPECT_EQ(rbf.prepare(x, {}, 1).data, x.data());
}

}  // namespace
}  // namespace choir
