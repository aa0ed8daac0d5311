// Sums whose entries are far apart come through masks as without them.
#include <utility>

#include "codec/support.h"
#include "learn/federated_kmeans/toy.h"
#include <gtest/gtest.h>

#include "choir/metrics/clustering.h"

namespace choir::federated_kmeans {
namespace {

// Masked and not, with the same samples and options.
struct Pair {
  Fit masked;
  Fit open;
};
Pair with_masks_and_without(const Samples& samples, Options options) {
  Fit masked = simulate(dealt(samples), options);
  options.masks = Masks::off;
  return {std::move(masked), simulate(dealt(samples), options)};
}

TEST(FederatedKmeans, FeaturesOfDifferentUnitsAreStandardizedUnderMasksToo) {
  testing::Clusters data = small_data();
  data.samples.row(0) *= 1e9;
  data.samples.row(1) *= 1e-3;
  Options options = small_options();
  options.preprocessing.standardize = Standardize::zscore;
  options.gamma = parse_gamma("scale");
  const auto [masked, open] = with_masks_and_without(data.samples, options);
  const Vector expected = open.at(0).model.preprocessing.scale;
  const Vector scale = masked.at(0).model.preprocessing.scale;
  EXPECT_LT((scale - expected).cwiseQuotient(expected).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_NEAR(masked.at(0).model.kernel.gamma, open.at(0).model.kernel.gamma, 1e-9);
  EXPECT_EQ(testing::labels_of(masked, device_count), testing::labels_of(open, device_count));
  EXPECT_GT(adjusted_rand_index(data.labels, testing::labels_of(masked, device_count)), 0.95);
}

// Samples as pixels are, and a kernel that makes 1e13 of them: counts of samples beside that are still
// counts.
TEST(FederatedKmeans, PolynomialsOfLargeValuesAreClusteredUnderMasksToo) {
  testing::Clusters data = testing::clusters(600, 5, 50, 4);
  data.samples = 100 + (20 * data.samples).array();
  Options options = small_options();
  options.kernel = {.kind = KernelKind::poly, .degree = 3, .coef0 = 1};
  options.gamma = parse_gamma("0.05");
  const auto [masked, open] = with_masks_and_without(data.samples, options);
  EXPECT_EQ(testing::labels_of(masked, device_count), testing::labels_of(open, device_count));
  EXPECT_LT((masked.at(0).model.counts - open.at(0).model.counts).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_GT(masked.at(0).model.counts.minCoeff(), 50);
}

TEST(FederatedKmeans, SumsThatHaveNoRoomForCountsSayWhatToDo) {
  Options options = small_options();
  options.kernel = {.kind = KernelKind::poly, .degree = 9, .coef0 = 1};
  options.gamma = parse_gamma("1");
  const Samples large = 1e4 * small_data().samples;
  EXPECT_THAT(
      sentence(ErrorCategory::InvalidArgument, [&] { simulate(dealt(large, device_count), options); }),
      HasSubstr("cannot hold the number of samples of a cluster; scale the samples down (--divide"));
}

}  // namespace
}  // namespace choir::federated_kmeans
