#include "choir/learn/federated_kmeans/nystroem.h"

#include "codec/support.h"
#include "learn/federated_kmeans/toy.h"
#include <gtest/gtest.h>

namespace choir::federated_kmeans {
namespace {

TEST(FederatedNystroem, TriangleOfTheGramComesBackWhole) {
  const Matrix w = testing::clusters(50, 3, 7, 1).samples;
  const Vector packed = packed_gram(w);
  EXPECT_EQ(packed.size(), 28);
  EXPECT_LT((unpacked_gram(packed, 7) - w * w.transpose()).cwiseAbs().maxCoeff(), 1e-11);
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { unpacked_gram(packed, 8); }),
              ::testing::HasSubstr("8 x 8 matrix came as 28"));
}

TEST(FederatedNystroem, LandmarksWeighWhatWasPublished) {
  // Two groups on a line; the heavier point of each pulls its mean.
  const CountedCentroids published{.points = Matrix{{0, 1, 10, 11}}, .counts = Vector{{9, 1, 5, 15}}};
  Matrix landmarks = landmarks_from(published, 2, 1);
  ASSERT_EQ(landmarks.cols(), 2);
  if (landmarks(0) > landmarks(1)) landmarks.col(0).swap(landmarks.col(1));
  EXPECT_NEAR(landmarks(0), 0.1, 1e-12);
  EXPECT_NEAR(landmarks(1), 10.75, 1e-12);
  EXPECT_EQ(landmarks_from(published, 4, 1), published.points);
}

TEST(FederatedNystroem, SamePointsAreOneLandmark) {
  const CountedCentroids published{.points = Matrix{{2, 2, 2, 3, 3}}, .counts = Vector::Constant(5, 5)};
  EXPECT_EQ(landmarks_from(published, 4, 1).cols(), 2);
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument,
                       [] { landmarks_from({.points = Matrix(3, 0), .counts = Vector(0)}, 4, 1); }),
              ::testing::HasSubstr("no device has published"));
}

TEST(FederatedNystroem, PublishedCentroidsAreMeansOfEnoughSamples) {
  const Samples samples = testing::clusters(103, 4, 3, 2).samples;
  const CountedCentroids own = counted_centroids(samples, {.count = 12, .min_count = 5, .seed = 3});
  EXPECT_EQ(own.points.cols(), own.counts.size());
  EXPECT_GE(own.counts.minCoeff(), 5);
  EXPECT_EQ(own.counts.sum(), 103);
  const Vector mean = own.points * own.counts / 103;
  EXPECT_LT((mean - samples.rowwise().mean()).norm(), 1e-12);
}

}  // namespace
}  // namespace choir::federated_kmeans
