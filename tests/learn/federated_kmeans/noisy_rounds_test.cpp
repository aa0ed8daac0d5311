#include "choir/learn/federated_kmeans/noisy_rounds.h"

#include <cmath>

#include "codec/support.h"
#include "learn/federated_kmeans/toy.h"
#include <gtest/gtest.h>

#include "choir/kernel/random_features.h"
#include "choir/learn/federated_kmeans/fea.h"
#include "choir/learn/federated_kmeans/worker.h"
#include "choir/learn/privacy/gaussian_privacy.h"

namespace choir::federated_kmeans::noisy_rounds_test {
namespace {

using ::testing::HasSubstr;

constexpr Index devices = 10;
constexpr Index rounds = 4;

Options private_options() {
  Options options = small_options(Embedding::random_features);
  options.privacy.epsilon = 1;
  options.max_iter = rounds;
  return options;
}

// A device that knows its features.
Worker informed_worker(const Samples& samples, const Options& options = private_options()) {
  Worker worker(
      3, Shard(samples), options,
      {.seed = 1, .features = samples.rows(), .devices = devices, .store = std::make_shared<FeatureStore>()});
  worker.hear(preprocessing_statement({}));
  worker.hear(kernel_statement(options.gamma.value));
  worker.hear(stage_statement(fea_draw(options.n_features, 1, 1), 1));
  return worker;
}

Message question_for(Index clusters, Index round) {
  return noisy_question(Matrix::Constant(private_options().n_features, clusters, 0.1), round);
}

TEST(NoisyRounds, SpendTheWholeBudgetAndNoMore) {
  NoisyRounds plan(private_options(), devices);
  EXPECT_EQ(plan.left(), 1 + rounds);
  plan.begin(0, 1);
  for (Index round = 0; round < rounds; ++round) plan.begin(0, 5);
  EXPECT_EQ(plan.left(), 0);
  const PrivacyReport report = plan.report();
  ASSERT_EQ(std::ssize(report.releases), 1 + rounds);
  const double all = largest_rho(1, 1e-6);
  EXPECT_NEAR(report.rho(), all, 1e-12 * all);
  EXPECT_NEAR(report.releases.front().rho, 0.1 * all, 1e-12 * all);
  EXPECT_NEAR(report.releases.back().rho, 0.9 / rounds * all, 1e-12 * all);
  const std::vector<Release> known = noisy_releases(private_options(), devices);
  ASSERT_EQ(known.size(), report.releases.size());
  for (std::size_t i = 0; i < known.size(); ++i) {
    EXPECT_EQ(report.releases[i].sensitivity, 2);
    EXPECT_EQ(known[i].what, report.releases[i].what);
    EXPECT_EQ(known[i].rho, report.releases[i].rho);
  }
  EXPECT_THAT(sentence(ErrorCategory::PeerLost, [&] { plan.begin(3, 5); }),
              HasSubstr("the server, node 10, asked device 3 for one total more than the 5"));
}

TEST(NoisyRounds, OtherTotalsThanTheNextAreRefused) {
  NoisyRounds plan(private_options(), devices);
  EXPECT_THAT(sentence(ErrorCategory::PeerLost, [&] { plan.begin(3, 5); }),
              HasSubstr("a noisy total of 5 clusters where 1 is next"));
  plan.begin(3, 1);
  EXPECT_THAT(sentence(ErrorCategory::PeerLost, [&] { plan.begin(3, 1); }), HasSubstr("where 5 are next"));
  EXPECT_EQ(plan.left(), rounds);  // neither was answered
}

TEST(NoisyRounds, ADeviceAnswersTheSumsOfItsFeaturesUnderItsShareOfTheNoise) {
  const Samples samples = small_data().samples.leftCols(40);
  const Options options = private_options();
  Worker worker = informed_worker(samples);
  const NoisyAnswer all = worker.noisy_sums(noisy_question(Matrix::Zero(options.n_features, 1), 0));
  const Kernel kernel{.kind = KernelKind::rbf, .gamma = options.gamma.value};
  const Matrix features =
      RandomFeatures::draw(kernel, samples.rows(), fea_draw(options.n_features, 1, 1)).transform(samples);
  EXPECT_LT((all.sums.col(0).head(options.n_features) - features.rowwise().sum()).norm(), 1e-10);
  EXPECT_EQ(all.sums(options.n_features, 0), 40);
  // sigma = 2 / sqrt(2 rho) of the honest together, of whom there are 8 where 2 of 10 may be in league
  const double sigma = 2 / std::sqrt(2 * 0.1 * largest_rho(1, 1e-6));
  const double mine = static_cast<double>(all.noise.node_sigma()) * all.noise.step();
  EXPECT_GE(mine, sigma / std::sqrt(8));
  EXPECT_LT(mine, (1 + 1e-4) * sigma / std::sqrt(8));
}

TEST(NoisyRounds, ATotalDeviatesByTheNoiseOfAllDevices) {
  NoisyRounds plan(private_options(), devices);
  plan.begin(0, 1);
  EXPECT_NEAR(plan.deviation(), 2 / std::sqrt(2 * 0.1 * largest_rho(1, 1e-6)) * std::sqrt(10. / 8), 1e-9);
}

TEST(NoisyRounds, ADeviceRefusesWhateverElseAServerMayAsk) {
  const Samples samples = small_data().samples.leftCols(40);
  Worker worker = informed_worker(samples);
  const Matrix centres = Matrix::Constant(private_options().n_features, 5, 0.1);
  const RunCentres run = RunCentres::of({centres});
  const Message questions[] = {means_question(false, 7),
                               squares_question(Vector::Zero(8), 7),
                               gram_question(7),
                               product_question(Vector::Ones(60), 7),
                               tally_question(run, centres, 7),
                               lloyd_question(run, 7),
                               appraise_question(run, 7),
                               trace_question(7)};
  for (const Message& question : questions) {
    EXPECT_THAT(sentence(ErrorCategory::PeerLost, [&] { worker.sums(question); }),
                HasSubstr("the server, node 10, asked device 3 for figures without noise"));
  }
  EXPECT_THAT(sentence(ErrorCategory::PeerLost, [&] { worker.publication_for(centroids_request(10, 7)); }),
              HasSubstr("without noise"));
  for (const Message& statement : {map_statement(Matrix::Identity(60, 2)),
                                   landmarks_statement(samples, Matrix::Identity(40, 40), Kind::centroids)}) {
    EXPECT_THAT(sentence(ErrorCategory::PeerLost, [&] { worker.hear(statement); }),
                HasSubstr("told device 3 landmarks or a map"));
  }
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { worker.noisy_sums(question_for(6, 0)); }),
              HasSubstr("60 x 6 numbers as centres"));
}

TEST(NoisyRounds, ADeviceAnswersNoMoreQuestionsThanItsBudgetIsSplitOver) {
  Worker worker = informed_worker(small_data().samples.leftCols(40));
  worker.noisy_sums(question_for(1, 0));
  for (Index round = 1; round <= rounds; ++round) worker.noisy_sums(question_for(5, round));
  EXPECT_THAT(sentence(ErrorCategory::PeerLost, [&] { worker.noisy_sums(question_for(5, rounds + 1)); }),
              HasSubstr("one total more"));
}

TEST(NoisyRounds, WithoutDifferentialPrivacyNobodyAsksForNoise) {
  Options options = private_options();
  options.privacy = {};
  Worker worker = informed_worker(small_data().samples.leftCols(40), options);
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { worker.noisy_sums(question_for(1, 0)); }),
              HasSubstr("only --privacy needs"));
}

}  // namespace
}  // namespace choir::federated_kmeans::noisy_rounds_test
