// Whoever has the landmarks of many runs over the same samples: sums of clusters subtract until single
// samples are left. In 0.1.0 the clusters followed from --random-state.
#include <map>

#include "attack/view.h"
#include <gtest/gtest.h>

#include "choir/base/rng.h"
#include "choir/graph/topology.h"
#include "choir/learn/consensus_kpca/consensus_kpca.h"
#include "choir/learn/features/centroids.h"
#include "choir/runtime/engines.h"

namespace choir::testing_attack {
namespace {

constexpr Index runs = 6;
constexpr Index landmarks = 8;
constexpr Index least = 3;  // samples behind a mean

// Like images: small whole numbers.
Samples images(Index count, std::uint64_t node) {
  Rng rng(node, Purpose("images"));
  return Samples::NullaryExpr(6, count, [&] { return static_cast<double>(rng.below(40)); });
}

// n c for the smallest n that makes whole numbers of a mean; nothing for a point that is no mean.
std::optional<std::pair<Index, Vector>> whole_sum(const Vector& mean) {
  for (Index n = least; n < 60; ++n) {
    const Vector sum = static_cast<double>(n) * mean;
    const Vector rounded = sum.array().round();
    if ((sum - rounded).cwiseAbs().maxCoeff() < 1e-6) return std::pair(n, rounded);
  }
  return std::nullopt;
}

// Differences of clusters of n + 1 and n samples that look like an image.
Samples differences(const std::vector<Matrix>& points_of_runs) {
  std::map<Index, std::vector<Vector>> sums;
  for (const Matrix& points : points_of_runs) {
    for (const auto& point : points.colwise()) {
      const auto sum = whole_sum(point);
      if (!sum) continue;
      auto& known = sums[sum->first];
      if (std::ranges::find(known, sum->second) == known.end()) known.push_back(sum->second);
    }
  }
  std::vector<Vector> images;
  for (const auto& [count, smaller] : sums) {
    if (!sums.contains(count + 1)) continue;
    for (const Vector& a : smaller) {
      for (const Vector& b : sums[count + 1]) {
        const Vector difference = b - a;
        if (difference.minCoeff() >= 0 && difference.maxCoeff() < 40) images.push_back(difference);
      }
    }
  }
  Samples all(6, std::ssize(images));
  for (Index n = 0; n < all.cols(); ++n) all.col(n) = images[static_cast<std::size_t>(n)];
  return all;
}

// What a node published in 0.1.0: centres of k-means from the run's seed.
Matrix centres_of_seed(const Samples& own, std::uint64_t seed) {
  return counted_centroids(own, {.count = 4, .min_count = least, .seed = seed}).points;
}

TEST(LandmarkSweep, ClustersOfTheSeedSubtractAndThoseOfTheProgramDoNot) {
  std::vector<Samples> shards;
  Samples all(6, 0);
  for (std::uint64_t node = 0; node < 4; ++node) {
    shards.push_back(images(20, node));
    all.conservativeResize(Eigen::NoChange, all.cols() + 20);
    all.rightCols(20) = shards.back();
  }
  std::vector<Matrix> by_seed;
  for (std::uint64_t seed = 0; seed < 40; ++seed) by_seed.push_back(centres_of_seed(shards[0], seed));
  EXPECT_GE(recovered(shards[0], differences(by_seed), 0.5), 5);

  consensus_kpca::Options options;
  options.n_components.count = 1;
  options.n_landmarks = landmarks;
  options.min_count = least;
  options.gamma.value = 1e-3;
  std::vector<Matrix> sent;
  const auto engine = make_engine("sim");
  for (std::uint64_t seed = 0; seed < runs; ++seed) {
    View view({1, 2});
    fit_consensus_kpca(*engine, make_topology("line", 4, 0), shards, options, view.of({.seed = seed}));
    for (const Sight& sight : view.sights(Kind::centroids))
      sent.emplace_back(sight.message.array(0).matrix());
  }
  ASSERT_GE(std::ssize(sent), runs);
  Index means = 0;
  for (const auto& point : sent[0].colwise()) means += whole_sum(point) ? 1 : 0;
  EXPECT_GE(means, 3) << "there are means to subtract";
  for (const Matrix& points : sent) EXPECT_EQ(points, sent[0]);
  EXPECT_EQ(recovered(all, differences(sent), 0.5), 0);
}

}  // namespace
}  // namespace choir::testing_attack
