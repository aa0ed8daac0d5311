#include "choir/learn/federated_kmeans/lloyd.h"

#include <algorithm>
#include <map>

#include "learn/federated_kmeans/toy.h"
#include <gtest/gtest.h>

#include "choir/kernel/kmeans.h"
#include "choir/learn/federated_kmeans/seeding.h"

namespace choir::federated_kmeans {
namespace {

constexpr Index k = 4;

struct Scene {
  Samples samples = testing::clusters(200, k, 3, 11).samples;
  std::vector<Matrix> starts = {samples.leftCols(k), samples.middleCols(20, k), samples.middleCols(50, k)};

  // Over three devices.
  Matrix sums(const RunCentres& centres) const {
    return lloyd_sums(samples.leftCols(50), centres) + lloyd_sums(samples.middleCols(50, 1), centres) +
           lloyd_sums(samples.rightCols(149), centres);
  }
  Matrix appraisal(const RunCentres& centres) const {
    return appraisal_sums(samples.leftCols(70), centres) + appraisal_sums(samples.rightCols(130), centres);
  }
};

// One sample at a time.
Matrix obvious_sums(const Samples& samples, const Matrix& centres) {
  Matrix sums = Matrix::Zero(samples.rows() + 2, centres.cols());
  for (Index n = 0; n < samples.cols(); ++n) {
    Index nearest = 0;
    const double distance = (centres.colwise() - samples.col(n)).colwise().squaredNorm().minCoeff(&nearest);
    sums.col(nearest).head(samples.rows()) += samples.col(n);
    sums(samples.rows(), nearest) += 1;
    sums(samples.rows() + 1, nearest) += distance;
  }
  return sums;
}

TEST(FederatedLloyd, DevicesAddUpTheSumsOfAllRestarts) {
  const Scene scene;
  LloydRuns runs(scene.starts, {});
  const Matrix sums = scene.sums(runs.question());
  for (Index run = 0; run < 3; ++run) {
    const Matrix truth = obvious_sums(scene.samples, scene.starts[static_cast<std::size_t>(run)]);
    EXPECT_LT((sums.middleCols(run * k, k) - truth).cwiseAbs().maxCoeff(), 1e-9);
  }
}

TEST(FederatedLloyd, VarianceFollowsFromSums) {
  const Scene scene;
  const Samples centred = scene.samples.colwise() - scene.samples.rowwise().mean();
  EXPECT_NEAR(mean_variance(scene.sums(RunCentres::of({scene.starts[0]})), scene.starts[0]),
              centred.squaredNorm() / static_cast<double>(centred.size()), 1e-10);
}

TEST(FederatedLloyd, EveryRestartIsCentralLloydFromTheSameStart) {
  const Scene scene;
  LloydRuns runs(scene.starts, {.tol = 1e-4, .max_iter = 300});
  Index rounds = 0;
  for (; runs.moving(); ++rounds) runs.absorb(scene.sums(runs.question()));
  runs.appraise(scene.appraisal(runs.all()));
  const Index best = runs.best();
  Index longest = 0;
  for (Index run = 0; run < 3; ++run) {
    Matrix centres = scene.starts[static_cast<std::size_t>(run)];
    const Samples centred = scene.samples.colwise() - scene.samples.rowwise().mean();
    const double tolerance = 1e-4 * centred.squaredNorm() / static_cast<double>(centred.size());
    Index iterations = 0;
    for (double moved = tolerance + 1; moved > tolerance; ++iterations) {
      const Matrix sums = obvious_sums(scene.samples, centres);
      const Matrix before = centres;
      centres = sums.topRows(3).array().rowwise() / sums.row(3).array();
      moved = (centres - before).squaredNorm();
    }
    EXPECT_LT((runs.at(run).centres - centres).cwiseAbs().maxCoeff(), 1e-10);
    EXPECT_EQ(runs.at(run).iterations, iterations);
    EXPECT_TRUE(runs.at(run).converged);
    EXPECT_NEAR(runs.at(run).inertia, obvious_sums(scene.samples, centres).row(4).sum(), 1e-9);
    EXPECT_GE(runs.at(run).inertia, runs.at(best).inertia);
    longest = std::max(longest, iterations);
  }
  EXPECT_EQ(rounds, longest) << "restarts share their rounds";
}

// Of one run: the mean over samples of (b - a) / max(a, b), one sample at a time.
double obvious_silhouette(const Samples& samples, const Matrix& centres) {
  double sum = 0;
  for (const auto sample : samples.colwise()) {
    std::vector<double> distances;
    for (const auto centre : centres.colwise()) distances.push_back((centre - sample).norm());
    std::ranges::sort(distances);
    sum += (distances[1] - distances[0]) / std::max(distances[0], distances[1]);
  }
  return sum / static_cast<double>(samples.cols());
}

TEST(FederatedLloyd, RunsOfAnySizeShareAQuestionAndAreAppraised) {
  const Scene scene;
  LloydRuns runs({scene.samples.leftCols(2), scene.samples.leftCols(6), scene.samples.middleCols(20, k)}, {});
  while (runs.moving()) runs.absorb(scene.sums(runs.question()));
  runs.appraise(scene.appraisal(runs.all()));
  for (Index run = 0; run < 3; ++run) {
    LloydRuns alone({runs.at(run).centres}, {});
    alone.appraise(scene.appraisal(alone.all()));
    EXPECT_NEAR(runs.at(run).silhouette, obvious_silhouette(scene.samples, runs.at(run).centres), 1e-12);
    EXPECT_EQ(runs.at(run).inertia, alone.at(0).inertia);
    EXPECT_EQ(runs.at(run).counts, alone.at(0).counts);
  }
  EXPECT_EQ(runs.at(runs.best()).clusters(), k) << "as many clouds as there are";
}

TEST(FederatedLloyd, TheBestRunIsTheCheapestOfTheNumberWithTheBestSilhouette) {
  const Samples samples = Matrix{{0, 0.1, 0.2, 9, 9.1, 9.2}};
  LloydRuns runs({Matrix{{0.1, 9.1}}, Matrix{{0.1, 5}}, Matrix{{0, 0.2, 9.1}}}, {.max_iter = 1});
  runs.appraise(appraisal_sums(samples, runs.all()));
  EXPECT_EQ(runs.best(), 0);
  EXPECT_EQ(runs.best_by_clusters(), (std::map<Index, Index>{{2, 0}, {3, 2}}));
}

TEST(FederatedLloyd, ASingleClusterAndCopiesOfOneSampleHaveNoSilhouette) {
  LloydRuns runs({Matrix{{5}}, Matrix{{1, 1}}}, {});
  runs.appraise(appraisal_sums(Matrix{{1, 1, 1}}, runs.all()));
  EXPECT_EQ(runs.at(0).silhouette, 0);
  EXPECT_EQ(runs.at(1).silhouette, 0);
}

TEST(FederatedLloyd, EmptyClustersTakeASpareOrStay) {
  const Samples samples = Matrix{{0, 0.1, 5, 5.1, 9}};
  const Matrix start = Matrix{{0, 5, 100}};
  LloydRuns keeping({start}, {});
  keeping.absorb(lloyd_sums(samples, keeping.question()));
  EXPECT_EQ(keeping.at(0).centres(2), 100);
  LloydRuns refilled({start}, {}, {.points = Matrix{{0.05, 9, 5}}, .counts = Vector{{2, 1, 2}}});
  refilled.absorb(lloyd_sums(samples, refilled.question()));
  EXPECT_EQ(refilled.at(0).centres(2), 9);
  EXPECT_TRUE(refilled.moving());
}

// How many rounds it takes to stand still.
Index rounds_of(LloydRuns& runs, const Samples& samples) {
  Index rounds = 0;
  for (; runs.moving(); ++rounds) runs.absorb(lloyd_sums(samples, runs.question()));
  return rounds;
}

// Products of lengths, which distances are computed from, leave something of either sign.
TEST(FederatedLloyd, SparesThatAreCentresButForRoundingRefillNothing) {
  const Matrix places = testing::clusters(5, 5, 12, 3).samples;
  Matrix spares = places.replicate(1, 20);
  for (Index i = 0; i < 100; ++i) spares.col(i) *= 1 + 1e-15 * static_cast<double>(i % 7);
  Matrix start(12, 6);
  start << places, places.col(1);
  LloydRuns runs({start}, {}, {.points = spares, .counts = Vector::Ones(100)});
  runs.absorb(lloyd_sums(spares, runs.question()));
  EXPECT_LT((runs.at(0).centres.col(5) - places.col(1)).norm(), 1e-12);
  EXPECT_LE(rounds_of(runs, spares), 5);
  EXPECT_TRUE(runs.at(0).converged);
}

TEST(FederatedLloyd, AnEmptyClusterDoesNotTryOneSpareAfterAnother) {
  const Samples samples = Matrix{{0, 0.1, 5, 5.1}};
  const Matrix spares =
      Matrix{{2.6, 7.7, 2.5}};  // between and beyond the clusters: all samples have a nearer centre
  LloydRuns runs({Matrix{{0, 5, 100}}}, {}, {.points = spares, .counts = Vector::Ones(3)});
  EXPECT_LE(rounds_of(runs, samples), 5);
  EXPECT_TRUE(runs.at(0).converged);
}

TEST(FederatedLloyd, StopsAfterMaxIterAndSaysHowFarFromItsEnd) {
  const Scene scene;
  LloydRuns runs(scene.starts, {.tol = 0, .max_iter = 2});
  runs.absorb(scene.sums(runs.question()));
  const Matrix before = runs.at(0).centres;
  runs.absorb(scene.sums(runs.question()));
  EXPECT_FALSE(runs.moving());
  EXPECT_FALSE(runs.at(0).converged);
  const Samples centred = scene.samples.colwise() - scene.samples.rowwise().mean();
  const double variance = centred.squaredNorm() / static_cast<double>(centred.size());
  const double movement = (runs.at(0).centres - before).squaredNorm();
  EXPECT_GT(movement, 0);
  EXPECT_NEAR(runs.at(0).change, movement / variance, 1e-9 * movement / variance);
}

TEST(FederatedLloyd, EndsWhenSilentDevicesKeepTheCentresMoving) {
  const Scene scene;
  LloydRuns runs({scene.starts[0]}, {});
  Index rounds = 0;
  for (; runs.moving(); ++rounds) {  // every third sample is missing, other ones in each round
    std::vector<Index> answered;
    for (Index n = 0; n < 200; ++n)
      if ((7 * n + rounds) % 3 > 0) answered.push_back(n);
    runs.absorb(lloyd_sums(scene.samples(Eigen::all, answered), runs.question()), LloydRuns::Sums::inexact);
  }
  EXPECT_GE(rounds, 20);
  EXPECT_LE(rounds, 100);
  EXPECT_FALSE(runs.at(0).converged);
}

TEST(FederatedSeeding, StartsComeFromDifferentDraws) {
  const Scene scene;
  const CountedCentroids published = counted_centroids(scene.samples, {.count = 40, .min_count = 2});
  const std::vector<Matrix> starts = seeded_starts(published, {.clusters = k, .restarts = 3, .seed = 1});
  ASSERT_EQ(starts.size(), 3u);
  EXPECT_EQ(starts, seeded_starts(published, {.clusters = k, .restarts = 3, .seed = 1}));
  const KMeans central = kmeans(scene.samples, {.clusters = k, .n_init = 10});
  double best = starts[0].norm() * 1e9;
  for (const Matrix& start : starts) {
    best = std::min(best, obvious_sums(scene.samples, start).row(4).sum());
  }
  EXPECT_LT(best, 1.1 * central.inertia) << "one of them is nearly there";
}

TEST(FederatedSeeding, StartsAreDrawnAboutAsTheSamplesLieAndNoLonger) {
  const Matrix spread = Matrix{{2, 0}, {1, 0.5}, {0, 1}};
  const std::vector<Matrix> starts = drawn_starts(spread, {.clusters = 4, .restarts = 2000, .seed = 1});
  Matrix moment = Matrix::Zero(3, 3);
  for (const Matrix& start : starts) {
    ASSERT_EQ(start.cols(), 4);
    EXPECT_LE(start.colwise().norm().maxCoeff(), spread.norm() * (1 + 1e-12));
    moment += start * start.transpose() / 8000;
  }
  const Matrix expected = spread * spread.transpose();
  EXPECT_LT((moment / moment.trace() - expected / expected.trace()).norm(), 0.2);
  EXPECT_GT(moment.trace(), 0.5 * expected.trace());
  EXPECT_EQ(starts, drawn_starts(spread, {.clusters = 4, .restarts = 2000, .seed = 1}));
}

TEST(FederatedSeeding, TooFewPointsAreRefused) {
  EXPECT_THROW(seeded_starts({.points = Matrix{{1, 1, 2}}, .counts = Vector::Ones(3)}, {.clusters = 3}),
               Error);
  const double nearly_one = 0.1 + 0.2 + 0.3 + 0.4 - 1e-16;
  ASSERT_NE(nearly_one, 1);
  EXPECT_THROW(
      seeded_starts({.points = Matrix{{1, nearly_one, 2}}, .counts = Vector::Ones(3)}, {.clusters = 3}),
      Error);
  EXPECT_EQ(
      seeded_starts({.points = Matrix{{1, 1 + 1e-6, 2}}, .counts = Vector::Ones(3)}, {.clusters = 3}).size(),
      5u);
}

TEST(FederatedSeeding, ParallelDrawsInProportionToDistances) {
  const Samples samples = Matrix{{0, 0, 0, 3, 4}};
  const Matrix candidates = Matrix{{0}};
  EXPECT_DOUBLE_EQ(cost_of(samples, candidates), 25);
  double three = 0, four = 0, zeros = 0;
  for (std::uint64_t round = 0; round < 4000; ++round) {
    Rng rng(1, Purpose("test"), 0, round);
    const Matrix drawn = drawn_samples(samples, candidates, 1.0 / 25, rng);
    for (Index i = 0; i < drawn.cols(); ++i) (drawn(i) == 3 ? three : drawn(i) == 4 ? four : zeros) += 1;
  }
  EXPECT_EQ(zeros, 0);
  EXPECT_NEAR(three / 4000, 9.0 / 25, 0.03);
  EXPECT_NEAR(four / 4000, 16.0 / 25, 0.03);
  EXPECT_EQ(weights_of(samples, Matrix{{0, 4}}), (Vector{{3, 2}}));
  Rng rng(1, Purpose("test"));
  EXPECT_EQ(drawn_samples(samples, Matrix(1, 0), 0, rng).cols(), 1);
}

}  // namespace
}  // namespace choir::federated_kmeans
