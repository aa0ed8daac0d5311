#include "choir/learn/federated_kmeans/questions.h"

#include "codec/support.h"
#include <gtest/gtest.h>

namespace choir::federated_kmeans {
namespace {

TEST(FederatedQuestions, SayWhatTheyAre) {
  const Message lloyd = lloyd_question({.points = Matrix::Ones(2, 6), .sizes = {4, 2}}, 17);
  EXPECT_EQ(word_of(lloyd), Word::lloyd);
  EXPECT_EQ(manner_of(word_of(lloyd)), Manner::sum);
  EXPECT_EQ(round_of(lloyd), 17);
  EXPECT_EQ(centres_in(lloyd).points, Matrix::Ones(2, 6));
  EXPECT_EQ(centres_in(lloyd).sizes, (std::vector<Index>{4, 2}));
  EXPECT_EQ(manner_of(word_of(appraise_question({.points = Matrix::Ones(2, 1), .sizes = {1}}, 0))),
            Manner::sum);
  EXPECT_EQ(manner_of(word_of(noisy_question(Matrix::Ones(2, 1), 0))), Manner::sum);
  EXPECT_EQ(manner_of(word_of(trace_question(0))), Manner::sum);
  EXPECT_EQ(manner_of(word_of(weigh_question(Matrix::Ones(2, 2), 0))), Manner::sum);
  EXPECT_EQ(manner_of(word_of(centroids_request(5, 0))), Manner::publication);
  EXPECT_EQ(manner_of(word_of(draw_request(Matrix(2, 0), 0, 0))), Manner::publication);
  EXPECT_EQ(manner_of(word_of(preprocessing_statement({}))), Manner::statement);
  EXPECT_EQ(manner_of(word_of(map_statement(Matrix::Ones(3, 2)))), Manner::statement);
  Message nonsense(Kind::control);
  nonsense.integer(99);
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { word_of(nonsense); }), HasSubstr("begins with 99"));
}

TEST(FederatedQuestions, RunsMustHaveTheCentresThatTheySay) {
  for (const std::vector<Index>& sizes :
       std::vector<std::vector<Index>>{{3, 2}, {3, 4}, {7, -1}, {6, 0}, {}}) {
    const Message question = appraise_question({.points = Matrix::Ones(2, 6), .sizes = sizes}, 0);
    EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { centres_in(question); }),
                HasSubstr("6 centres came with runs of other sizes"));
  }
}

TEST(FederatedQuestions, OpenedClustersAreMarked) {
  RunCentres centres{.points = Matrix::Ones(2, 3), .sizes = {2, 1}, .opened = {true, false, true}};
  EXPECT_EQ(centres_in(lloyd_question(centres, 0)).opened, centres.opened);
  centres.opened.pop_back();
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { centres_in(lloyd_question(centres, 0)); }),
              HasSubstr("3 centres came with runs of other sizes"));
}

TEST(FederatedQuestions, ClustersComeBack) {
  const FoundClusters found{.centroids = Matrix{{1, 2}, {3, 4}, {5, 6}},
                            .counts = Vector{{7, 8}},
                            .inertia = 0.5,
                            .samples = 15,
                            .iterations = 4,
                            .converged = true};
  const FoundClusters back = clusters_in(clusters_statement(found));
  EXPECT_EQ(back.centroids, found.centroids);
  EXPECT_EQ(back.counts, found.counts);
  EXPECT_EQ(back.inertia, 0.5);
  EXPECT_EQ(back.samples, 15);
  EXPECT_EQ(back.iterations, 4);
  EXPECT_TRUE(back.converged);
}

TEST(FederatedQuestions, PublishedPointsAreChecked) {
  const auto refusal = [](CountedCentroids points) {
    const Message message = publication(std::move(points), Kind::centroids);
    return sentence(ErrorCategory::BadData, [&] { published_in(message, 3, 2); });
  };
  EXPECT_THAT(refusal({.points = Matrix::Ones(3, 1), .counts = Vector::Ones(1)}),
              HasSubstr("device 3 published 1 points of 3 numbers"));
  EXPECT_THAT(refusal({.points = Matrix::Ones(2, 2), .counts = Vector::Ones(1)}), HasSubstr("with 1 counts"));
  EXPECT_THAT(refusal({.points = Matrix::Constant(2, 1, NAN), .counts = Vector::Ones(1)}),
              HasSubstr("not finite"));
  EXPECT_THAT(refusal({.points = Matrix::Ones(2, 1), .counts = Vector::Zero(1)}), HasSubstr("of no samples"));
  const CountedCentroids none{.points = Matrix(2, 0), .counts = Vector(0)};
  const CountedCentroids one{.points = Matrix{{1}, {2}}, .counts = Vector{{6}}};
  EXPECT_EQ(beside(none, one).points, one.points);
  EXPECT_EQ(beside(one, one).counts, (Vector{{6, 6}}));
  EXPECT_EQ(published_in(publication(none, Kind::centroids), 0, 2).points.cols(), 0);
}

}  // namespace
}  // namespace choir::federated_kmeans
