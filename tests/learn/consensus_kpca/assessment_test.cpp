// What a fit says about itself, against what is true.
#include <cmath>

#include "learn/consensus_kpca/digits.h"
#include "message_of.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/rng.h"
#include "choir/graph/topology.h"

namespace choir::consensus_kpca {
namespace {

using ::testing::HasSubstr;
using testing_digits::Digits;
using testing_digits::fit;
using testing_digits::mean_of;

// As users get it, but for the number of landmarks.
Options as_it_is(Share share, Index components) {
  Options options = testing_digits::fixed_length(components, 60);
  options.share = share;
  options.tol = Options().tol;
  return options;
}

Quality quality_of(const Fit& fitted, const Digits& digits) {
  const NodeResult& any = fitted.at(0);
  central_kpca::Options central{.kernel = any.kernel, .n_components = {.count = any.eigenvalues.size()}};
  return measure_quality(fitted, digits.graph, digits.shards, fit_central_kpca(digits.pooled(), central));
}

TEST(ConsensusAssessment, LandmarksClaimWhatIsTrue) {
  const Digits digits(6, 60);
  for (const Index landmarks : {120, 200}) {
    Options options = as_it_is(Share::landmarks, 4);
    options.n_landmarks = landmarks;
    options.min_count = 3;  // of 360 samples hardly any landmark is the mean of ten; below 100 claims are shy
    const Fit fitted = fit(digits, options);
    const Assessment& assessment = fitted.at(0).assessment;
    const Vector truth = mean_of(quality_of(fitted, digits).similarity_shared);
    EXPECT_LE((assessment.claimed_similarity - truth).maxCoeff(), 0.02) << landmarks;
    EXPECT_GE((assessment.claimed_similarity - truth).minCoeff(), -0.1) << landmarks;
    EXPECT_LE((assessment.captured_variance * 360 - fitted.at(0).eigenvalues).norm(), 1e-9);
    const double share = fitted.at(0).eigenvalues.sum() / digits.central(4).model.eigenvalues.sum();
    EXPECT_NEAR(assessment.captured_share, share, 0.01) << landmarks;
    EXPECT_EQ(fitted.at(5).assessment.claimed_similarity, assessment.claimed_similarity);
  }
}

TEST(ConsensusAssessment, ItsEigenvaluesAreNeverAboveTheCentralOnes) {
  const Digits digits(6, 60, 1);
  const Fit fitted = fit(digits, as_it_is(Share::landmarks, 5));
  const central_kpca::Fit central = digits.central(5);
  EXPECT_TRUE((fitted.at(0).eigenvalues.array() <= central.model.eigenvalues.array() * (1 + 1e-9)).all());
}

// Laplacian kernels decay slowly: a mean seen through a few landmarks would be component 1.
TEST(ConsensusAssessment, WhereEveryNodeSeesAllSamplesTheAnswerIsTheCentralOne) {
  const Digits digits(5, 30, 4, "complete");
  for (const KernelKind kind : {KernelKind::rbf, KernelKind::laplacian}) {
    Options options = as_it_is(Share::samples, 6);
    options.kernel.kind = kind;
    if (kind == KernelKind::laplacian) options.gamma.value = 2e-5;
    const Fit fitted = fit(digits, options);
    EXPECT_EQ(fitted.at(2).use, Answer::neighborhood);
    EXPECT_TRUE(fitted.at(2).converged);
    const Quality quality = quality_of(fitted, digits);
    EXPECT_GE(quality.similarity_neighborhood.minCoeff(), 0.9999) << to_string(kind);
    EXPECT_EQ(fitted.at(2).assessment.claimed_similarity, Vector::Ones(6));
  }
}

TEST(ConsensusAssessment, TheAnswerThatIsUsedIsTheBetterOne) {
  for (const char* topology : {"ring:4", "line"}) {
    const Digits digits(12, 30, 4, topology);
    const Fit fitted = fit(digits, as_it_is(Share::samples, 3));
    const Quality quality = quality_of(fitted, digits);
    const double shared = mean_of(quality.similarity_shared).minCoeff();
    const double neighborhood = mean_of(quality.similarity_neighborhood).minCoeff();
    const bool chose_shared = fitted.at(0).use == Answer::shared;
    EXPECT_GE(chose_shared ? shared : neighborhood, (chose_shared ? neighborhood : shared) - 0.01)
        << topology;
    const Vector truth =
        chose_shared ? mean_of(quality.similarity_shared) : mean_of(quality.similarity_neighborhood);
    EXPECT_LE((fitted.at(0).assessment.claimed_similarity - truth).maxCoeff(), 0.02) << topology;
  }
}

// Noise on exchanged samples makes the iteration diverge; the start and the shared answer are still right.
TEST(ConsensusAssessment, AnIterationThatLeadsAwayIsTakenBack) {
  const Digits digits(8, 40, 4, "ring:4");
  Options options = as_it_is(Share::samples, 5);
  options.exchange_noise = 60;
  const Fit fitted = fit(digits, options);
  const Quality quality = quality_of(fitted, digits);
  const double used = fitted.at(0).use == Answer::shared
                          ? mean_of(quality.similarity_shared).minCoeff()
                          : mean_of(quality.similarity_neighborhood).minCoeff();
  EXPECT_GE(used, fitted.at(0).assessment.claimed_similarity.minCoeff() - 0.02);
  EXPECT_GE(mean_of(quality.similarity_neighborhood).minCoeff(),
            mean_of(quality.yardsticks.gather_neighborhood).minCoeff() - 0.1);
}

// Twelve different samples in all, four of the same few at each node: fewer directions than columns.
TEST(ConsensusAssessment, ColumnsWithoutADirectionDoNoHarm) {
  constexpr Index nodes = 24;
  Rng random(1, Purpose("few different samples"), 0);
  Samples points(5, 12);
  for (double& value : points.reshaped()) value = random.normal();
  std::vector<Samples> shards(nodes, Samples(5, 4));
  Samples all(5, 4 * nodes);
  for (Index j = 0; j < nodes; ++j) {
    for (Index n = 0; n < 4; ++n) {
      const auto chosen = static_cast<Index>(random.below(4));
      shards[static_cast<std::size_t>(j)].col(n) = points.col(3 * j / nodes + 3 * chosen);
      all.col(4 * j + n) = shards[static_cast<std::size_t>(j)].col(n);
    }
  }
  Options options;
  options.share = Share::samples;
  options.kernel.kind = KernelKind::linear;
  options.n_components.count = 2;
  options.n_landmarks = 12;
  options.min_count = 1;
  options.tol = 1e-9;
  options.max_iter = 200;
  const auto engine = make_engine("local", {.threads = 1});
  const Graph graph = make_topology("ring:4", nodes, 0);
  const auto fitted = [&] { return fit_consensus_kpca(*engine, graph, shards, options); };
  const Fit whole = fitted();
  const central_kpca::Options central{.kernel = options.kernel, .n_components = {.count = 2}};
  const Vector truth = fit_central_kpca(all, central).model.eigenvalues;
  EXPECT_LE((whole.at(3).eigenvalues - truth).norm(), 1e-6 * truth.norm());
  options.tol = 0;
  const Fit of_fixed_length = fitted();
  EXPECT_TRUE(of_fixed_length.at(3).eigenvalues.allFinite());
}

// What is advised helps.
TEST(ConsensusAssessment, TooFewLandmarksAreSaidAndMoreOfThemHelp) {
  const Digits digits(6, 60);
  Options options = as_it_is(Share::landmarks, 5);
  options.n_landmarks = 14;
  const Fit few = fit(digits, options);
  ASSERT_FALSE(few.at(0).assessment.good());
  EXPECT_THAT(few.at(0).assessment.weaknesses.front(), HasSubstr("raise --n-landmarks above 14"));
  options.n_landmarks = 300;
  const Fit enough = fit(digits, options);
  EXPECT_TRUE(enough.at(0).assessment.good());
}

TEST(ConsensusAssessment, TooFewRandomFeaturesAreSaidAndMoreOfThemHelp) {
  const Digits digits(6, 60);
  Options options = as_it_is(Share::random_features, 2);
  options.n_features = 60;
  const Fit few = fit(digits, options);
  ASSERT_FALSE(few.at(0).assessment.good());
  EXPECT_THAT(few.at(0).assessment.weaknesses.front(), HasSubstr("raise --n-features above 60"));
  options.n_features = 3000;
  const Fit many = fit(digits, options);
  EXPECT_TRUE(many.at(0).assessment.good());
  EXPECT_LT(many.at(0).kernel_error, few.at(0).kernel_error / 4);
}

// A line of nodes with few samples each: what one sees of the whole is little.
TEST(ConsensusAssessment, AWeakNeighborhoodIsSaidAndMoreNeighboursOrTheSharedAnswerHelp) {
  Options options = as_it_is(Share::samples, 5);
  options.use = Answer::neighborhood;
  const Fit weak = fit(Digits(16, 12, 4, "line"), options);
  ASSERT_FALSE(weak.at(0).assessment.good());
  EXPECT_THAT(weak.at(0).assessment.weaknesses.front(),
              HasSubstr("use --use shared, or give nodes more neighbours"));
  const Fit complete = fit(Digits(16, 12, 4, "complete"), options);
  EXPECT_TRUE(complete.at(0).assessment.good());
  options.use = Answer::shared;
  const Fit shared = fit(Digits(16, 12, 4, "line"), options);
  EXPECT_TRUE(shared.at(0).assessment.good());
}

// Own directions lie in the span of a node's own samples, whatever the network knows: what is claimed for the
// shared answer does not hold for them.
TEST(ConsensusAssessment, OwnAnswersHaveClaimsOfTheirOwnAndTheAdviceHelps) {
  for (const Share share : {Share::landmarks, Share::random_features, Share::samples}) {
    const Digits digits(
        8, 20);  // with 30 the first two eigenvalues differ by 1%: only their plane is determined
    ASSERT_GT(digits.central(2).model.eigenvalues(0), 1.05 * digits.central(2).model.eigenvalues(1));
    Options options = as_it_is(share, 2);
    options.use = Answer::own;
    const Fit fitted = fit(digits, options);
    const Vector truth = quality_of(fitted, digits).similarity_own.colwise().minCoeff();
    const Assessment& assessment = fitted.at(3).assessment;
    ASSERT_EQ(assessment.claimed_similarity.size(), 2) << to_string(share);
    EXPECT_LE((assessment.claimed_similarity - truth).maxCoeff(), 0.02) << to_string(share);
    EXPECT_GE((assessment.claimed_similarity - truth).minCoeff(), -0.15) << to_string(share);
    EXPECT_EQ(fitted.at(0).assessment.claimed_similarity, assessment.claimed_similarity);
    ASSERT_FALSE(assessment.good()) << to_string(share);
    EXPECT_THAT(assessment.weaknesses.front(), HasSubstr("use --use shared, or give nodes more samples"));
  }
  Options options = as_it_is(Share::landmarks, 1);
  const auto good_with = [&](Index each, Answer use) {
    options.use = use;
    const Fit fitted = fit(Digits(5, each), options);
    return fitted.at(0).assessment.good();
  };
  EXPECT_FALSE(good_with(30, Answer::own));
  EXPECT_TRUE(good_with(160, Answer::own));
  EXPECT_TRUE(good_with(30, Answer::shared));
}

TEST(ConsensusAssessment, AWeakIndefiniteKernelIsSaidAndAnotherOneHelps) {
  Digits digits(5, 60);
  for (Samples& shard : digits.shards) shard /= 255;
  Options options = as_it_is(Share::landmarks, 5);
  options.kernel.kind = KernelKind::sigmoid;
  options.kernel.coef0 = -1;
  options.gamma.value = 0.1;
  const Fit weak = fit(digits, options);
  ASSERT_FALSE(weak.at(0).assessment.good());
  EXPECT_THAT(weak.at(0).assessment.weaknesses.front(), HasSubstr("use another kernel"));
  options.kernel.kind = KernelKind::rbf;
  options.gamma.value = 0.01;
  const Fit definite = fit(digits, options);
  EXPECT_TRUE(definite.at(0).assessment.good());
}

// A neighbourhood of 15 samples has no more than 15 directions, and 35% of the variance needs more.
TEST(ConsensusAssessment, AShareThatNeighbourhoodsCannotExplainIsSaidAndLandmarksHelp) {
  const Digits digits(40, 5, 7, "ring:2");
  Options options = as_it_is(Share::samples, 0);
  options.n_components = {.count = 0, .fraction = 0.35};
  const Fit short_of_it = fit(digits, options);
  const NodeResult& any = short_of_it.at(0);
  EXPECT_LE(any.eigenvalues.size(), 15);
  EXPECT_EQ(any.assessment.claimed_similarity.size(), any.eigenvalues.size());
  for (const ComponentGroup& group : any.assessment.unseparated)
    EXPECT_LT(group.first, any.eigenvalues.size());
  EXPECT_THAT(any.assessment.weaknesses, ::testing::Contains(HasSubstr("not the 35% asked for")));
  options.share = Share::landmarks;
  const Fit whole = fit(digits, options);
  EXPECT_GE(whole.at(0).eigenvalues.sum(), 0.35 * whole.at(0).trace);
  EXPECT_THAT(whole.at(0).assessment.weaknesses, ::testing::Not(::testing::Contains(HasSubstr("asked for"))));
}

TEST(ConsensusAssessment, AKernelThatIsNoInnerProductIsRefusedWhereSamplesAreShared) {
  Digits digits(5, 30);
  for (Samples& shard : digits.shards) shard /= 255;
  Options options = as_it_is(Share::samples, 2);
  options.kernel.kind = KernelKind::sigmoid;
  options.kernel.coef0 = -1;
  options.gamma.value = 0.02;
  EXPECT_THAT(test::message_of([&] { fit(digits, options); }), HasSubstr("use --share landmarks"));
  options.share = Share::landmarks;
  const Fit by_landmarks = fit(digits, options);
  EXPECT_TRUE(by_landmarks.at(0).eigenvalues.allFinite());
  options.n_components = {.fraction = 0.9};
  EXPECT_THAT(test::message_of([&] { fit(digits, options); }),
              HasSubstr("which the sigmoid kernel does not have"));
}

}  // namespace
}  // namespace choir::consensus_kpca
