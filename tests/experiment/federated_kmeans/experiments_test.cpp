#include "choir/experiment/federated_kmeans/privacy.h"

#include "experiment/quick_results.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

TEST(FederatedKmeansExperiments, PrivacyIsInTheMasksAndInLargeTotals) {
  const testing::QuickResults seen(federated_kmeans_privacy);
  EXPECT_EQ(seen.at("5", "one device, unmasked", "share recovered"), 1);
  EXPECT_LT(seen.at("5", "one device, unmasked", "worst error of these"), 1e-4);
  EXPECT_GT(seen.at("20", "one device, unmasked", "share recovered"), 0.9);
  for (const char* samples : {"5", "20"}) {
    EXPECT_EQ(seen.at(samples, "one device, masked", "share recovered"), 0);
    EXPECT_GT(seen.at(samples, "one device, masked", "smallest residual"), 0.01);
  }
  EXPECT_GT(seen.at("5", "total of 10 devices", "share recovered"), 0.5);  // 50 samples, 120 features
  EXPECT_EQ(seen.at("20", "total of 10 devices", "share recovered"), 0);
}

}  // namespace
}  // namespace choir
