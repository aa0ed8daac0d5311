#include "choir/learn/oneshot_kpca/sending_plan.h"

#include "learn/oneshot_kpca/toy.h"
#include <gtest/gtest.h>

#include "choir/kernel/gram.h"
#include "choir/linalg/eigen.h"

namespace choir::oneshot_kpca {
namespace {

TEST(SendingPlan, CountsWhatEitherFactorHasAndLeavesOut) {
  const Samples samples = testing::party_samples(12, 30, 1);
  const Kernel rbf{.kind = KernelKind::rbf, .gamma = 0.02};
  const KernelFactor product = kernel_factor(rbf, samples, {.count = 14});
  const DistanceFactor distances = distance_factor(samples, {.count = 6});
  const SendingNeed need = need_of(product, distances, 0.02, 12);
  EXPECT_EQ(need.product_numbers, 14 * 31 + 2);
  EXPECT_EQ(need.distances_numbers, 7 * 30 + 5);
  EXPECT_EQ(need.beyond_columns, 1);
  EXPECT_EQ(need.product_error, product.dropped);
  const SendingNeed again = unpacked_need(packed(need));
  EXPECT_EQ(packed(again), packed(need));
}

// Near zero, where the kernel is nearly linear in the distances, the rule of thumb is exact.
TEST(SendingPlan, ADirectionOfTheScatterChangesTheKernelByTwiceGamma) {
  const Samples samples = testing::party_samples(8, 40, 1, 8) * 1e-3;
  const double gamma = 0.01;
  const DistanceFactor part = distance_factor(samples, {.count = 8});
  ASSERT_GT(part.dropped, 0);
  const Matrix centred = samples.colwise() - samples.rowwise().mean();
  const EigenPairs scatter = eigen_symmetric<double>(centred.transpose() * centred);
  const Vector last = scatter.vectors.col(7);
  const Samples without = samples - samples * last * last.transpose();
  const Kernel rbf{.kind = KernelKind::rbf, .gamma = gamma};
  const Matrix change = gram<double>(rbf, samples, samples) - gram<double>(rbf, without, without);
  const double along = last.dot(change * last);
  EXPECT_NEAR(along, 2 * gamma * part.dropped, 0.05 * along);
  EXPECT_DOUBLE_EQ(scatter_threshold(5e-4, gamma, 40), 5e-4 * 40 / 0.02);
}

TEST(SendingPlan, TakesTheCheaperAndNeverMoreVectorsThanColumns) {
  EXPECT_EQ(cheaper_estimator({.product_numbers = 10, .distances_numbers = 12}), Estimator::product);
  EXPECT_EQ(cheaper_estimator({.product_numbers = 12, .distances_numbers = 10}), Estimator::distances);
  EXPECT_EQ(cheaper_estimator({.product_numbers = 10, .distances_numbers = 12, .beyond_columns = 1}),
            Estimator::distances);
}

TEST(SendingPlan, TakesTheBetterWhereTheSizeIsGiven) {
  EXPECT_EQ(better_estimator({.product_error = 1, .distances_error = 2}), Estimator::product);
  EXPECT_EQ(better_estimator({.product_error = 2, .distances_error = 1}), Estimator::distances);
}

}  // namespace
}  // namespace choir::oneshot_kpca
