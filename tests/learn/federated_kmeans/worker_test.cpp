#include "choir/learn/federated_kmeans/worker.h"

#include "codec/support.h"
#include "learn/federated_kmeans/toy.h"
#include <gtest/gtest.h>

#include "choir/kernel/gram.h"
#include "choir/kernel/nystroem.h"
#include "choir/learn/federated_kmeans/lloyd.h"
#include "choir/learn/federated_kmeans/nystroem.h"

namespace choir::federated_kmeans {
namespace {

const Samples& samples() {
  static const Samples all = testing::clusters(60, 3, 4, 9).samples;
  return all;
}

Options linear() {
  Options options;
  options.kernel.kind = KernelKind::linear;
  options.n_clusters = 3;
  return options;
}

// A worker that knows four landmarks, its features and two leading directions.
struct Informed {
  Worker worker{2, Shard(samples()), linear(), Circumstances()};
  Samples landmarks = samples().leftCols(4);
  Matrix map = Matrix::Identity(4, 2);
  Matrix features;  // W'

  Informed() {
    const NystroemFeatures nystroem({.kind = KernelKind::linear}, landmarks);
    features = nystroem.transform(samples());
    worker.hear(preprocessing_statement({}));
    worker.hear(landmarks_statement(landmarks, nystroem.whitening(), Kind::centroids));
  }
};

TEST(FederatedWorker, AddsUpMomentsAboutAnything) {
  const Worker worker(0, Shard(samples()), linear(), Circumstances());
  const Vector centre = Vector::LinSpaced(4, -1, 2);
  const Matrix sums = worker.sums(moments_question(centre, 0));
  const Matrix shifted = samples().colwise() - centre;
  EXPECT_LT((sums.row(0).transpose() - shifted.rowwise().sum()).norm(), 1e-10);
  EXPECT_LT((sums.row(1).transpose() - shifted.rowwise().squaredNorm()).norm(), 1e-9);
  const Matrix entries = worker.sums(moments_question(Vector::Constant(1, 0.5), 0));
  EXPECT_NEAR(entries(0), (samples().array() - 0.5).sum(), 1e-9);
  EXPECT_NEAR(entries(1), (samples().array() - 0.5).square().sum(), 1e-8);
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { worker.sums(moments_question(Vector::Zero(3), 0)); }),
              HasSubstr("3 features and has 4"));
}

TEST(FederatedWorker, GivesTheGramAndProductsWithIt) {
  const Informed device;
  const Matrix gram = device.features * device.features.transpose();
  EXPECT_LT((unpacked_gram(device.worker.sums(gram_question(0)).col(0), 4) - gram).norm(),
            1e-9 * gram.norm());
  const Matrix traces = device.worker.sums(trace_question(0));
  EXPECT_NEAR(traces(0, 0), samples().squaredNorm(), 1e-9 * traces(0, 0));
  EXPECT_NEAR(traces(1, 0), gram.trace(), 1e-9 * traces(1, 0));
  const Vector vector = Vector::LinSpaced(4, 1, 2);
  EXPECT_LT((device.worker.sums(product_question(vector, 0)) - gram * vector).norm(), 1e-9 * gram.norm());
}

TEST(FederatedWorker, EmbedsByTheMapItIsToldAndLabelsByTheCentroids) {
  Informed device;
  device.worker.hear(map_statement(device.map));
  const Matrix embedded = device.map.transpose() * device.features;
  EXPECT_LT((device.worker.embed_prepared(samples()) - embedded).norm(), 1e-9 * embedded.norm());
  const Matrix centroids = embedded.leftCols(3);
  const RunCentres one_run = RunCentres::of({centroids});
  EXPECT_LT((device.worker.sums(lloyd_question(one_run, 0)) - lloyd_sums(embedded, one_run)).norm(),
            1e-9 * embedded.squaredNorm());
  EXPECT_LT((device.worker.sums(appraise_question(one_run, 0)) - appraisal_sums(embedded, one_run)).norm(),
            1e-9 * embedded.squaredNorm());
  device.worker.hear(clusters_statement({.centroids = centroids, .counts = Vector::Ones(3), .samples = 60}));
  EXPECT_EQ(device.worker.labels(), nearest_centroids(embedded, centroids));
  EXPECT_EQ(device.worker.model().predict(samples()), device.worker.labels());
}

TEST(FederatedWorker, RefusesAMapThatDoesNotFit) {
  Informed device;
  EXPECT_THAT(
      sentence(ErrorCategory::BadData, [&] { device.worker.hear(map_statement(Matrix::Ones(5, 2))); }),
      HasSubstr("a map from 5 features and has 4"));
}

TEST(FederatedWorker, SaysThatValuesAreTooLargeToBeSquaredAndNotWhatTheyAre) {
  const Worker worker(7, Shard(Samples(samples() * 1e160)), linear(), Circumstances());
  for (const Index length : {1, 4}) {
    const std::string words =
        sentence(ErrorCategory::BadData, [&] { worker.sums(moments_question(Vector::Zero(length), 0)); });
    EXPECT_THAT(words, HasSubstr("device 7 has values that are too large to be squared"));
    EXPECT_THAT(words, ::testing::Not(HasSubstr("e+1"))) << "no value";
  }
}

TEST(FederatedWorker, RefusesUnmaskedSumsOnlyIfItHasFewSamples) {
  Options options = linear();
  EXPECT_FALSE(Worker(0, Shard(samples()), options, Circumstances()).refuses_sums());
  options.masks = Masks::off;
  EXPECT_TRUE(Worker(0, Shard(samples()), options, Circumstances()).refuses_sums());
  EXPECT_THAT(Worker(5, Shard(samples()), options, Circumstances()).refusal(),
              HasSubstr("device 5 refuses all sums: it has 60"));
  options.n_landmarks = 59;
  EXPECT_FALSE(Worker(0, Shard(samples()), options, Circumstances()).refuses_sums());
}

TEST(FederatedWorker, PublishesMeansOfEnoughSamples) {
  const Worker worker(0, Shard(samples()), linear(), Circumstances());
  const Message message = worker.publication_for(centroids_request(10, 1));
  EXPECT_EQ(message.kind(), Kind::centroids);
  const CountedCentroids published = published_in(message, 0, 4);
  EXPECT_GE(published.counts.minCoeff(), 5);
  EXPECT_EQ(published.counts.sum(), 60);
  EXPECT_LT((published.points * published.counts - samples().rowwise().sum()).norm(), 1e-9);
}

TEST(FederatedWorker, SamplesMustBeFinite) {
  Samples bad = samples();
  bad(1, 1) = NAN;
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { Worker(7, Shard(bad), linear(), Circumstances()); }),
              HasSubstr("device 7"));
}

}  // namespace
}  // namespace choir::federated_kmeans
