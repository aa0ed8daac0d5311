#include "choir/kernel/kmeans.h"

#include "kernel/support.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace choir {
namespace {

// A fit is a fixed point: labels are the nearest centres, centres the means of their samples.
void expect_fixed_point(const Samples& x, const Vector& weights, const KMeans& fit) {
  Matrix sums = Matrix::Zero(fit.centres.rows(), fit.centres.cols());
  Vector counts = Vector::Zero(fit.centres.cols());
  double inertia = 0;
  for (Index i = 0; i < x.cols(); ++i) {
    Index nearest = 0;
    const double distance = (fit.centres.colwise() - x.col(i)).colwise().squaredNorm().minCoeff(&nearest);
    const Index label = fit.labels[static_cast<std::size_t>(i)];
    EXPECT_NEAR((fit.centres.col(label) - x.col(i)).squaredNorm(), distance, 1e-10);
    inertia += weights(i) * distance;
    sums.col(label) += weights(i) * x.col(i);
    counts(label) += weights(i);
  }
  EXPECT_NEAR(fit.inertia, inertia, 1e-9 * (1 + inertia));
  EXPECT_LE(largest_difference(fit.counts, counts), 1e-12);
  EXPECT_GT(counts.minCoeff(), 0);
  if (counts.minCoeff() > 0) {
    const Matrix means = sums * counts.cwiseInverse().asDiagonal();
    EXPECT_LE(largest_difference(fit.centres, means), 1e-9);
  }
}

// sklearn.cluster.KMeans(tol=0), best of many starts.
TEST(KMeans, ReachesScikitLearnsInertia) {
  const Samples x = three_groups();
  EXPECT_NEAR(kmeans(x, {.clusters = 3, .tol = 0, .n_init = 5}).inertia, 38.07189056044299, 1e-10);
  EXPECT_NEAR(kmeans(x, {.clusters = 5, .tol = 0, .n_init = 200}).inertia, 27.101010385585255, 1e-10);
  const Vector weights = Vector::NullaryExpr(60, [](Index i) { return 1.0 + static_cast<double>(i % 4); });
  EXPECT_NEAR(kmeans(x, {.clusters = 3, .tol = 0, .n_init = 5}, weights).inertia, 94.79316162130917, 1e-10);
}

TEST(KMeans, EndsAtAFixedPointWithoutEmptyClusters) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Index features = seed % 2 == 0 ? 1 : 3;
    const Samples x = normal_samples(features, 90, seed);
    const KMeans fit = kmeans(x, {.clusters = 30, .tol = 0, .seed = seed});
    EXPECT_TRUE(fit.converged);
    expect_fixed_point(x, Vector::Ones(90), fit);
  }
}

TEST(KMeans, WeightsCountAsRepetitions) {
  const Samples x = normal_samples(2, 30, 90);
  Vector weights(30);
  Samples repeated(2, 0);
  for (Index i = 0; i < 30; ++i) {
    const Index copies = i % 3;  // also none
    weights(i) = static_cast<double>(copies);
    repeated.conservativeResize(Eigen::NoChange, repeated.cols() + copies);
    repeated.rightCols(copies).colwise() = x.col(i);
  }
  const KMeans weighted = kmeans(x, {.clusters = 3, .tol = 0, .n_init = 30}, weights);
  EXPECT_NEAR(weighted.inertia, kmeans(repeated, {.clusters = 3, .tol = 0, .n_init = 30}).inertia, 1e-10);
  expect_fixed_point(x, weights, weighted);
}

TEST(KMeans, AsManyClustersAsSamplesLeaveNoDistance) {
  const Samples x = normal_samples(3, 25, 91);
  const KMeans fit = kmeans(x, {.clusters = 25});
  EXPECT_LE(fit.inertia, 1e-25);
  EXPECT_EQ(fit.counts, Vector::Ones(25));
}

TEST(KMeans, AFarOffsetChangesNothing) {
  const Samples x = three_groups();
  const KMeans near = kmeans(x, {.clusters = 3, .n_init = 3});
  const KMeans far = kmeans((x.array() + 1e6).matrix(), {.clusters = 3, .n_init = 3});
  EXPECT_EQ(far.labels, near.labels);
  EXPECT_NEAR(far.inertia, near.inertia, 1e-6);
}

TEST(KMeans, BitsDoNotDependOnThreads) {
  const Samples x = normal_samples(4, 3000, 92);
  const KMeans one = kmeans(x, {.clusters = 20, .seed = 3, .threads = 1});
  for (const int threads : {2, 5}) {
    const KMeans several = kmeans(x, {.clusters = 20, .seed = 3, .threads = threads});
    EXPECT_EQ(several.centres, one.centres);
    EXPECT_EQ(several.labels, one.labels);
    EXPECT_EQ(several.inertia, one.inertia);
    EXPECT_EQ(several.iterations, one.iterations);
  }
  EXPECT_NE(kmeans(x, {.clusters = 20, .seed = 4}).centres, one.centres);
}

TEST(KMeans, SeedingPrefersFarSamples) {
  // Three far groups of very different size: D^2 sampling hits each, uniform sampling seldom would.
  Samples x = normal_samples(2, 1000, 93);
  x.col(10).array() += 1e4;
  x.col(20).array() -= 1e4;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const KMeans fit = kmeans(x, {.clusters = 3, .seed = seed});
    EXPECT_EQ(fit.counts.minCoeff(), 1) << seed;
    EXPECT_LT(fit.inertia, 3000) << seed;
  }
}

TEST(KMeans, SaysWhenItDidNotConverge) {
  const Samples x = normal_samples(4, 500, 94);
  const KMeans fit = kmeans(x, {.clusters = 20, .max_iter = 1, .tol = 0});
  EXPECT_FALSE(fit.converged);
  EXPECT_EQ(fit.iterations, 1);
}

TEST(KMeans, ErrorsNameTheTrouble) {
  const Samples x = normal_samples(2, 10, 95);
  EXPECT_THAT(message_of([&] { kmeans(x, {.clusters = 11}); }),
              HasSubstr("11 clusters were requested for 10 samples"));
  EXPECT_THAT(message_of([&] { kmeans(x, {.clusters = 0}); }), HasSubstr("0 clusters"));
  EXPECT_THAT(message_of([&] { kmeans(x, {.clusters = 2, .max_iter = 0}); }), HasSubstr("max_iter 0"));
  EXPECT_THAT(message_of([&] { kmeans(x, {.clusters = 2}, Vector::Ones(9)); }), HasSubstr("9 weights"));
  EXPECT_THAT(message_of([&] { kmeans(x, {.clusters = 2}, -Vector::Ones(10)); }), HasSubstr("not negative"));
  Samples repeated(2, 20);
  repeated << x.leftCols(5), x.leftCols(5), x.leftCols(5), x.leftCols(5);
  EXPECT_THAT(message_of([&] { kmeans(repeated, {.clusters = 6}); }), HasSubstr("only 5 distinct samples"));
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THAT(
      message_of([&] { kmeans(x, {.clusters = 2, .watch = {.progress = {}, .stop = stop.get_token()}}); }),
      HasSubstr("stopped"));
}

}  // namespace
}  // namespace choir
