// The bars of the method on the digits of the repository (one draw of 90 images a node), and the measure of
// quality itself against expansions written out in full.
#include "choir/learn/consensus_kpca/quality.h"

#include "learn/consensus_kpca/digits.h"
#include <gtest/gtest.h>

#include "choir/kernel/gram.h"
#include "choir/learn/consensus_kpca/models.h"
#include "choir/metrics/similarity.h"

namespace choir::consensus_kpca {
namespace {

using testing_digits::Digits;
using testing_digits::fit;
using testing_digits::fixed_length;
using testing_digits::mean_of;

struct Bars {
  Vector own, oracle, below_oracle, neighborhood, shared;
  double cosine = 0;
};

Bars measure(const Digits& digits, const Options& options) {
  const Fit fitted = fit(digits, options, {}, 2);
  const central_kpca::Fit central = digits.central(options.n_components.count);
  const Quality quality = measure_quality(fitted, digits.graph, digits.shards, central, {.threads = 2});
  Bars bars;
  bars.own = mean_of(quality.similarity_own);
  bars.oracle = mean_of(quality.yardsticks.oracle);
  bars.below_oracle = bars.oracle - bars.own;
  if (quality.similarity_neighborhood.size() > 0)
    bars.neighborhood = mean_of(quality.similarity_neighborhood);
  if (quality.similarity_shared.size() > 0) bars.shared = mean_of(quality.similarity_shared);
  bars.cosine = quality.subspace_cosine_min;
  // The yardstick sees samples from the exact mean, and a node that has landmarks from theirs: of its squared
  // length these miss .001.
  const double room = options.share == Share::samples ? 1e-9 : 1e-3;
  EXPECT_LE((quality.similarity_own - quality.yardsticks.oracle).maxCoeff(), room);
  return bars;
}

// What several tests start from.
const Bars& one_component() {
  static const Bars bars = measure(Digits(20, 90), fixed_length(1, 10));
  return bars;
}

TEST(ConsensusKpcaQuality, OneComponentComesToTheBestThatItsSpanHolds) {
  const Bars& bars = one_component();
  EXPECT_LE(bars.below_oracle(0), 0.001);
  EXPECT_GE(bars.own(0), 0.94);
  EXPECT_GE(bars.neighborhood(0), 0.99);
}

TEST(ConsensusKpcaQuality, TheCentralFitCanBeLeftToTheComparison) {
  const Digits digits(6, 30);
  const Fit fitted = fit(digits, fixed_length(2, 3), {}, 2);
  const Quality known = measure_quality(fitted, digits.graph, digits.shards, digits.central(2));
  const CentralComparison compared =
      compare_with_central(fitted, digits.graph, digits.shards, Precision::float64);
  EXPECT_LT((compared.quality.similarity_own - known.similarity_own).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_NEAR(compared.quality.subspace_cosine_min, known.subspace_cosine_min, 1e-6);
}

TEST(ConsensusKpcaQuality, SmallShardsToo) {
  EXPECT_LE(measure(Digits(20, 40), fixed_length(1, 10)).below_oracle(0), 0.002);
}

TEST(ConsensusKpcaQuality, TenComponents) {
  const Bars bars = measure(Digits(20, 90), fixed_length(10, 10));
  EXPECT_LE(bars.below_oracle.maxCoeff(), 0.008) << bars.below_oracle.transpose();
  EXPECT_GE(bars.cosine, 0.93);
}

TEST(ConsensusKpcaQuality, TwoDigitsANode) {
  const Bars bars = measure(Digits(20, 90, 2), fixed_length(1, 25));
  EXPECT_GE(bars.own(0) / bars.oracle(0), 0.995);
}

TEST(ConsensusKpcaQuality, OneDigitANode) {
  EXPECT_LE(measure(Digits(20, 90, 1), fixed_length(10, 10)).below_oracle(0), 0.003);
  EXPECT_LE(measure(Digits(20, 90, 1), fixed_length(1, 10)).below_oracle(0), 0.006);
}

TEST(ConsensusKpcaQuality, IsKnownAfterEachIteration) {
  const Digits digits(20, 40);
  Options options = fixed_length(3, 6);
  options.init = Init::local;
  const Fit fitted = fit(digits, options, {}, 2, {.keep_iterates = true});
  const Quality quality = measure_quality(fitted, digits.graph, digits.shards, digits.central(3));
  double first = 0;
  double last = 0;
  for (Index j = 0; j < 20; ++j) {
    const Vector& after = quality.similarity_after[static_cast<std::size_t>(j)];
    ASSERT_EQ(after.size(), 6);
    EXPECT_NEAR(after(5), quality.similarity_neighborhood.row(j).mean(), 1e-12);
    first += after(0) / 20;
    last += after(5) / 20;
  }
  EXPECT_GT(last, first + 0.005);
}

TEST(ConsensusKpcaQuality, LocalCentringFailsOnSkewAndLandmarksDoNot) {
  const Digits digits(20, 90, 1);
  Options options = fixed_length(1, 10);
  options.centering = Centering::local;
  const Bars local = measure(digits, options);
  EXPECT_LE(local.neighborhood(0), 0.6);
  const Fit fitted = fit(digits, options);
  ASSERT_FALSE(fitted.at(0).notes.empty());
  EXPECT_NE(fitted.at(0).notes.front().find("the answer may be wrong"), std::string::npos);
}

TEST(ConsensusKpcaQuality, SharedLandmarks) {
  Options options = fixed_length(10, 1);
  options.share = Share::landmarks;
  options.min_count = 1;
  options.n_landmarks = 400;
  const Bars skewed = measure(Digits(20, 90, 1), options);
  EXPECT_LE(skewed.below_oracle.maxCoeff(), 0.006) << skewed.below_oracle.transpose();
  const Bars bars = measure(Digits(20, 90), options);
  EXPECT_GE(bars.shared(0), 0.99);
  EXPECT_GE(bars.shared(9), 0.975);
}

TEST(ConsensusKpcaQuality, NoiseOnExchangedSamplesCostsALittle) {
  const Digits digits(20, 90);
  Options options = fixed_length(1, 10);
  const double clean = one_component().own(0);
  options.exchange_noise = 30;
  const double noisy = measure(digits, options).own(0);
  EXPECT_LT(noisy, clean);
  EXPECT_GE(noisy, clean - 0.02);
}

TEST(ConsensusKpcaQuality, SinglePrecisionCostsNothingThatShows) {
  const Digits digits(20, 90);
  Options options = fixed_length(1, 10);
  options.precision = Precision::float32;
  EXPECT_NEAR(measure(digits, options).own(0), one_component().own(0), 1e-5);
}

// |<w, w*>| / (||w|| ||w*||) from the models' points and coefficients alone.
Matrix by_models(const Fit& fitted, Answer answer, const central_kpca::Fit& central) {
  Matrix similarity(static_cast<Index>(fitted.nodes.size()), central.model.components());
  for (std::size_t j = 0; j < fitted.nodes.size(); ++j) {
    const auto model = std::get<KernelModel>(model_of(*fitted.nodes[j], answer));
    const auto& truth = central.model;
    const Matrix a = gram<double>(model.kernel, model.points, model.points);
    const Matrix ab = gram<double>(model.kernel, model.points, truth.points);
    const Matrix b = gram<double>(model.kernel, truth.points, truth.points);
    similarity.row(static_cast<Index>(j)) =
        direction_similarity({.a = a, .ab = ab, .b = b}, model.coefficients, truth.coefficients);
  }
  return similarity;
}

TEST(ConsensusKpcaQuality, IsThatOfTheModelsWrittenOutInFull) {
  const Digits digits(6, 30, 2);
  for (const Centering centering : {Centering::landmark, Centering::local, Centering::none}) {
    for (const double noise : {0.0, 20.0}) {
      Options options = fixed_length(3, 6);
      options.centering = centering;
      options.exchange_noise = noise;
      const Fit fitted = fit(digits, options);
      const central_kpca::Fit central = digits.central(3, centering != Centering::none);
      const Quality quality = measure_quality(fitted, digits.graph, digits.shards, central);
      EXPECT_LE((by_models(fitted, Answer::own, central) - quality.similarity_own).cwiseAbs().maxCoeff(),
                1e-6)
          << to_string(centering);
      EXPECT_LE((by_models(fitted, Answer::neighborhood, central) - quality.similarity_neighborhood)
                    .cwiseAbs()
                    .maxCoeff(),
                1e-6)
          << to_string(centering);
    }
  }
}

TEST(ConsensusKpcaQuality, OfSharedAnswersToo) {
  const Digits digits(6, 30, 2);
  const central_kpca::Fit central = digits.central(3);
  for (const Share share : {Share::landmarks, Share::random_features}) {
    Options options = fixed_length(3, 1);
    options.share = share;
    options.n_features = 400;
    const Fit fitted = fit(digits, options);
    const Quality quality = measure_quality(fitted, digits.graph, digits.shards, central);
    EXPECT_LE((by_models(fitted, Answer::own, central) - quality.similarity_own).cwiseAbs().maxCoeff(), 1e-6);
    if (share == Share::random_features) continue;
    EXPECT_LE((by_models(fitted, Answer::shared, central) - quality.similarity_shared).cwiseAbs().maxCoeff(),
              1e-6);
  }
}

}  // namespace
}  // namespace choir::consensus_kpca
