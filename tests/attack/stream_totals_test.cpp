// The root of a network that learns from streams has the totals of moments. In two dimensions samples that
// stand alone show in a total of as many features as its rule allows (4 new samples for each), as
// docs/threat-model.md says; in a total of as many as safe_total() allows they do not.
#include "attack/solving.h"
#include "attack/view.h"
#include "learn/online_kernel/toy.h"
#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/learn/features/safe_total.h"
#include "choir/learn/online_kernel/feature_start.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir::testing_attack {
namespace {

constexpr Index streams = 2;
constexpr Index of_each_stream = 120;
constexpr NodeId root = 0;  // of a line that begins with it

struct Seen {
  Matrix total;  // of psi psi', as the root has it
  FeatureMap map;
};

Seen seen_by_root(const std::vector<Samples>& shards, Index landmarks) {
  online_kernel::Options options = testing::wave_options(online_kernel::Consensus::diffusion);
  options.representation = online_kernel::Representation::landmarks;
  options.n_landmarks = landmarks;
  options.half_life = 0;
  options.gamma = parse_gamma("0.3");
  std::vector<TargetedSamples> data;
  for (const Samples& shard : shards) data.push_back({.samples = shard, .targets = shard.row(0).transpose()});
  SimEngine engine;
  const Graph line = make_topology("line", streams, 0);
  const auto fit = fit_online_kernel(engine, line, testing::streams_of(data), options);
  EXPECT_EQ(fit.at(1).state.features->memories.sums.size(), 0U) << "only the root has the total";
  const online_kernel::State& state = fit.at(root).state;
  Matrix total = state.features->memories.sums.at(0).products.selfadjointView<Eigen::Lower>();
  return {.total = std::move(total), .map = online_kernel::feature_map_of(state, nullptr)};
}

Index found_by_root(const std::vector<Samples>& shards, Index landmarks) {
  const Seen seen = seen_by_root(shards, landmarks);
  const auto at = [&](const Vector& x) -> Vector { return seen.map.features(Matrix(x)); };
  Samples all(2, streams * of_each_stream);
  all << shards[0], shards[1];
  return recovered(all, lone_samples(seen.total, at, 6, 120, 16), 0.2);
}

TEST(StreamTotals, ShowLoneSamplesOfThePlaneUnlessTheyAreOfFewFeatures) {
  Index by_default = 0, in_safe = 0;
  for (std::uint64_t draw = 0; draw < 3; ++draw) {
    const std::vector<Samples> shards = {samples_of_the_plane(of_each_stream, 2 * draw),
                                         samples_of_the_plane(of_each_stream, 2 * draw + 1)};
    by_default += found_by_root(shards, 60);
    in_safe += found_by_root(shards, safe_total(streams * of_each_stream, 2, 60) / 2);
  }
  EXPECT_GE(by_default, 3);
  EXPECT_EQ(in_safe, 0);
}

}  // namespace
}  // namespace choir::testing_attack
