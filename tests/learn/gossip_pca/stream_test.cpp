// Samples that come while a node gossips, and samples that are forgotten.
#include <cmath>

#include "graph/expect_error.h"
#include "learn/gossip_pca/toy.h"
#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/learn/gossip_pca/feed.h"
#include "choir/learn/gossip_pca/quality.h"
#include "choir/metrics/subspace.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir::gossip_pca {
namespace {

using std::chrono::milliseconds;

constexpr Index nodes = 8;

TEST(Feed, DealsSamplesInBatchesInTime) {
  const Samples samples = low_rank_samples(3, 2, 10, 1);
  SampleFeed feed = in_batches(samples, 4, milliseconds(20));
  for (const Index begin : {0, 4, 8}) {
    const auto batch = feed();
    ASSERT_TRUE(batch);
    EXPECT_EQ(batch->at, (begin / 4 + 1) * milliseconds(20));
    EXPECT_EQ(batch->samples, samples.middleCols(begin, std::min<Index>(4, 10 - begin)));
  }
  EXPECT_FALSE(feed());
  testing::expect_error(ErrorCategory::InvalidArgument, {"positive"},
                        [&] { in_batches(samples, 0, milliseconds(1)); });
}

Fit stream(const std::vector<Samples>& first, const std::vector<Samples>& later, const Options& options,
           Index batch) {
  SimEngine engine;
  std::vector<SampleFeed> feeds;
  for (const Samples& samples : later) feeds.push_back(in_batches(samples, batch, milliseconds(20)));
  return fit_gossip_pca(engine, make_topology("complete", nodes, 0), first, options, {}, std::move(feeds));
}

TEST(Stream, WhatIsAbsorbedCountsAsIfItHadBeenThere) {
  const Samples samples = low_rank_samples(20, 4, 800, 1);
  const Yardstick yardstick(samples, 4);
  const Fit fit = stream(dealt(samples.leftCols(80), nodes), dealt(samples.rightCols(720), nodes),
                         plain_options(4, 60), 9);
  const Quality quality = yardstick.measure(fit);
  EXPECT_LT(quality.error_relative, 1e-8);
  EXPECT_NEAR(quality.mass, 1, 1e-12);
  EXPECT_EQ(fit.at(2).samples, 800);
}

TEST(Stream, ANodeMayStartWithNothing) {
  const Samples samples = low_rank_samples(20, 4, 400, 1);
  const Fit fit =
      stream(std::vector<Samples>(nodes, Samples(20, 0)), dealt(samples, nodes), plain_options(4, 60), 10);
  EXPECT_LT(Yardstick(samples, 4).measure(fit).error_relative, 1e-8);
}

// One direction that turns by a quarter of a circle.
Samples turning(Index count, double from, double to, std::uint64_t seed) {
  Rng rng(seed, Purpose("turning"));
  Samples samples(4, count);
  for (Index n = 0; n < count; ++n) {
    const double angle = from + (to - from) * static_cast<double>(n) / static_cast<double>(count);
    const double t = rng.normal();
    samples.col(n) << t * std::cos(angle), t * std::sin(angle), 0.1 * rng.normal(), 0.1 * rng.normal();
  }
  return samples;
}

TEST(Stream, AHalfLifeFollowsADriftThatIsOtherwiseAveraged) {
  std::vector<Samples> first;
  std::vector<Samples> later;
  for (std::uint64_t node = 0; node < nodes; ++node) {
    first.push_back(turning(50, 0, 0, node));
    later.push_back(turning(1000, 0, 1.5, 100 + node));  // 100 batches, 2 s
  }
  Vector now(4);
  now << std::cos(1.5), std::sin(1.5), 0, 0;
  Options options = plain_options(1, 20);
  const Fit averaging = stream(first, later, options, 10);
  options.half_life = milliseconds(100);
  const Fit forgetful = stream(first, later, options, 10);
  EXPECT_LT(smallest_cosine(averaging.at(3).directions, now), 0.85);
  EXPECT_GT(smallest_cosine(forgetful.at(3).directions, now), 0.98);
  EXPECT_LT(forgetful.at(3).samples, 8 * 200) << "how many still count";
}

TEST(Stream, TheTreeAndSpreadCoordinatesHaveNoStreams) {
  const std::vector<Samples> shards = dealt(low_rank_samples(20, 4, 80, 1), nodes);
  Options options = plain_options(2, 10);
  options.schedule = Schedule::tree;
  testing::expect_error(ErrorCategory::InvalidArgument, {"schedule tree"},
                        [&] { stream(shards, shards, options, 5); });
}

}  // namespace
}  // namespace choir::gossip_pca
