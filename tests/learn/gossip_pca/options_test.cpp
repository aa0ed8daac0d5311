#include "choir/learn/gossip_pca/options.h"

#include <chrono>

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

TEST(GossipOptions, FitWhatTheRunIsToDo) {
  EXPECT_NO_THROW(require_fitting(Options(), {.yardsticks = true, .stream = true}));
  expect_error(ErrorCategory::InvalidArgument, {"use --partition coordinates, too"},
               [] { require_fitting(Options(), {.by_features = true}); });
  EXPECT_NO_THROW(require_fitting({.partition = Division::coordinates}, {.by_features = true}));
  const Options normalized{.kernel = {.kind = KernelKind::linear, .normalized = true}};
  expect_error(ErrorCategory::InvalidArgument, {"--normalized needs features"},
               [&] { require_fitting(normalized, {}); });
  Options forgetful;
  forgetful.half_life = std::chrono::seconds(2);
  EXPECT_NO_THROW(require_fitting(forgetful, {}));
  expect_error(ErrorCategory::InvalidArgument, {"--yardsticks", "--half-life"},
               [&] { require_fitting(forgetful, {.yardsticks = true}); });
}

}  // namespace
}  // namespace choir::gossip_pca
