#include "choir/learn/gossip_pca/options.h"

#include "graph/expect_error.h"
#include <gtest/gtest.h>

namespace choir::gossip_pca {
namespace {

using testing::expect_error;

TEST(GossipOptions, OnlyTheLinearKernelNeedsNoFeatures) {
  EXPECT_EQ(default_features({.kind = KernelKind::linear}), FeatureKind::none);
  EXPECT_EQ(default_features({.kind = KernelKind::linear, .normalized = true}), FeatureKind::landmarks);
  EXPECT_EQ(default_features({.kind = KernelKind::rbf}), FeatureKind::landmarks);
}

TEST(GossipOptions, SamplesArriveOnlyAtNodesThatGossipAboutWholeSamples) {
  Options options;
  EXPECT_NO_THROW(require_streams(options));
  options.schedule = Schedule::tree;
  expect_error(ErrorCategory::InvalidArgument, {"--schedule tree merges once"},
               [&] { require_streams(options); });
  options = {.partition = Division::coordinates};
  expect_error(ErrorCategory::InvalidArgument, {"--stream needs nodes that have whole samples"},
               [&] { require_streams(options); });
}

}  // namespace
}  // namespace choir::gossip_pca
