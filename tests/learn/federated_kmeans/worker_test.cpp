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

TEST(FederatedWorker, AddsUpMoments) {
  Worker worker(0, Shard(samples()), linear(), Circumstances());
  const Vector centre = Vector::LinSpaced(4, -1, 2);
  const Matrix shifted = samples().colwise() - centre;
  EXPECT_LT((worker.sums(means_question(false, 0)).transpose() - samples().rowwise().sum()).norm(), 1e-10);
  EXPECT_LT((worker.sums(squares_question(centre, 0)).transpose() - shifted.rowwise().squaredNorm()).norm(),
            1e-9);
  EXPECT_NEAR(worker.sums(means_question(true, 0))(0), samples().sum(), 1e-9);
  EXPECT_NEAR(worker.sums(squares_question(Vector::Constant(1, 0.5), 0))(0),
              (samples().array() - 0.5).square().sum(), 1e-8);
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { worker.sums(squares_question(Vector::Zero(3), 0)); }),
              HasSubstr("device 0 was sent 3 x 1 numbers as the mean, and its own options allow 4 x 1"));
}

TEST(FederatedWorker, GivesTheGramAndProductsWithIt) {
  Informed device;
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
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { device.worker.labels(); }), HasSubstr("no clusters"));
  const RunCentres one_run = RunCentres::of({centroids});
  EXPECT_LT((device.worker.sums(lloyd_question(one_run, 0)) - lloyd_sums(embedded, one_run)).norm(),
            1e-9 * embedded.squaredNorm());
  EXPECT_LT((device.worker.sums(appraise_question(one_run, 0)) - appraisal_sums(embedded, one_run)).norm(),
            1e-9 * embedded.squaredNorm());
  device.worker.hear(clusters_statement({.centroids = centroids, .counts = Vector::Ones(3), .samples = 60}));
  EXPECT_EQ(device.worker.labels(), nearest_centroids(embedded, centroids));
  EXPECT_EQ(device.worker.model().predict(samples()), device.worker.labels());
}

TEST(FederatedWorker, AnswersAStatisticInOneRoundOnly) {
  Informed device;
  Worker& worker = device.worker;
  worker.sums(means_question(false, 1));
  worker.sums(squares_question(Vector::Zero(4), 1));
  worker.sums(squares_question(Vector::Ones(4), 1));  // fewer devices were there, and nothing was unmasked
  worker.sums(gram_question(5));
  worker.publication_for(centroids_request(6, 2));
  for (const Message& question : {means_question(false, 2), means_question(true, 2),
                                  squares_question(Vector::Ones(4), 2), gram_question(6)}) {
    EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { worker.sums(question); }),
                HasSubstr("device 2 was asked in round"));
  }
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { worker.publication_for(centroids_request(6, 3)); }),
              HasSubstr("a statistic that round 2 has summed"));
}

TEST(FederatedWorker, RefusesWhatItsOptionsDoNotAllow) {
  Informed device;
  Worker& worker = device.worker;
  const auto refusal = [](const auto& act) { return sentence(ErrorCategory::BadData, act); };
  EXPECT_THAT(refusal([&] {
                worker.hear(landmarks_statement(Matrix::Ones(4, 3), Matrix::Identity(3, 3), Kind::centroids));
              }),
              HasSubstr("told twice"));
  EXPECT_THAT(refusal([&] { worker.hear(kernel_statement(-1)); }), HasSubstr("gamma is -1"));
  EXPECT_THAT(refusal([&] { worker.hear(stage_statement({.count = 7, .seed = 1}, 1)); }),
              HasSubstr("--embedding nystroem"));
  EXPECT_THAT(refusal([&] { worker.sums(product_question(Vector::Ones(3), 0)); }),
              HasSubstr("3 x 1 numbers as a vector"));
  EXPECT_THAT(refusal([&] { worker.publication_for(draw_request(Matrix(2, 0), 1, 0)); }),
              HasSubstr("--seeding parallel"));
  worker.hear(map_statement(device.map));
  EXPECT_THAT(refusal([&] { worker.sums(lloyd_question(RunCentres::of({Matrix::Ones(2, 4)}), 9)); }),
              HasSubstr("the sums of 4 clusters"));
  EXPECT_THAT(refusal([&] {
                worker.hear(clusters_statement({.centroids = Matrix::Ones(2, 3), .counts = Vector::Ones(2)}));
              }),
              HasSubstr("as counts"));
}

TEST(FederatedWorker, RefusesAMapThatDoesNotFit) {
  Informed device;
  EXPECT_THAT(
      sentence(ErrorCategory::BadData, [&] { device.worker.hear(map_statement(Matrix::Ones(5, 2))); }),
      HasSubstr("device 2 was sent 5 x 2 numbers as a map, and its own options allow 4 x 1 to 4"));
}

TEST(FederatedWorker, SaysThatValuesAreTooLargeToBeSquaredAndNotWhatTheyAre) {
  Worker worker(7, Shard(Samples(samples() * 1e160)), linear(), Circumstances());
  for (const Index length : {1, 4}) {
    const std::string words =
        sentence(ErrorCategory::BadData, [&] { worker.sums(squares_question(Vector::Zero(length), 0)); });
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
  Worker worker(0, Shard(samples()), linear(), Circumstances());
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
