#include "choir/learn/federated_kmeans/swaps.h"

#include <algorithm>

#include "learn/federated_kmeans/toy.h"
#include <gtest/gtest.h>

namespace choir::federated_kmeans {
namespace {

// Clouds at 0, 10, 20 and 30 along a line.
Samples four_clouds() {
  Samples samples(2, 40);
  for (Index n = 0; n < 40; ++n) {
    samples.col(n) << 10.0 * static_cast<double>(n / 10) + 0.1 * static_cast<double>(n % 10),
        0.1 * static_cast<double>(n % 3);
  }
  return samples;
}

LloydRun at_rest(const Samples& samples, const Matrix& start) {
  LloydRuns runs({start}, {});
  while (runs.moving()) runs.absorb(lloyd_sums(samples, runs.question()));
  return runs.at(0);
}

// Two centres share the first cloud, and the last has to do for two.
LloydRun stuck(const Samples& samples) {
  const Matrix start = Matrix{{0, 0.9, 10.5, 25.5}, {0, 0.1, 0.1, 0.1}};
  return at_rest(samples, start);
}

TEST(FederatedSwaps, TheFirstProposalTakesTheSuperfluousCentreToWhereOneIsMissing) {
  const Samples samples = four_clouds();
  const LloydRun run = stuck(samples);
  ASSERT_GT(run.inertia, 400) << "Lloyd's iterations alone do not leave it";
  const Matrix spread = Matrix{{11, 0}, {0, 0.1}};
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    const std::vector<Matrix> starts =
        swapped_starts(run, spread, {.clusters = 4, .restarts = swaps_at_once, .seed = seed});
    ASSERT_EQ(std::ssize(starts), swaps_at_once);
    EXPECT_LT(at_rest(samples, starts[0]).inertia, 10) << "seed " << seed;
    EXPECT_EQ(starts, swapped_starts(run, spread, {.clusters = 4, .restarts = swaps_at_once, .seed = seed}));
  }
}

TEST(FederatedSwaps, EmptyClustersAndSingleSamplesAreNotDivided) {
  LloydRun run{.centres = Matrix{{0, 5, 9}}, .counts = Vector{{0, 1, 1}}, .squares = Vector{{0, 0, 0}}};
  const Matrix spread = Matrix{{1}};
  for (const Matrix& start : swapped_starts(run, spread, {.clusters = 3, .restarts = 4, .seed = 1})) {
    EXPECT_EQ(start, run.centres);
  }
  run.counts = Vector{{0, 1, 8}};
  run.squares = Vector{{0, 0, 8}};
  for (const Matrix& start : swapped_starts(run, spread, {.clusters = 3, .restarts = 4, .seed = 1})) {
    EXPECT_TRUE(start.allFinite());
  }
}

TEST(FederatedSwaps, RunsThatAreNotAheadEnd) {
  const Samples samples = four_clouds();
  LloydRuns runs({samples.leftCols(2), samples(Eigen::all, std::vector<Index>{0, 20})}, {.first = 7});
  runs.absorb(lloyd_sums(samples, runs.question()));
  EXPECT_EQ(runs.at(0).iterations, 8);
  const double between = (runs.at(0).inertia + runs.at(1).inertia) / 2;
  runs.end_above({between, between});
  EXPECT_FALSE(runs.at(0).moving);
  EXPECT_TRUE(runs.at(1).moving);
  EXPECT_NEAR(runs.at(1).squares.sum(), runs.at(1).inertia, 1e-9);
}

}  // namespace
}  // namespace choir::federated_kmeans
