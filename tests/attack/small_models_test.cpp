// Whoever is given the model of a node. A model over random features makes samples of scores by a regression
// of the node's own samples, and a regression of a single sample is that sample.
#include "attack/view.h"
#include "learn/central/toy.h"
#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/learn/consensus_kpca/consensus_kpca.h"
#include "choir/learn/consensus_kpca/models.h"
#include "choir/learn/gossip_pca/gossip_pca.h"
#include "choir/learn/gossip_pca/models.h"
#include "choir/runtime/engines.h"

namespace choir::testing_attack {
namespace {

using testing_toys::falling_scales;

constexpr NodeId small = 1;
constexpr Index small_inputs = 5;

std::vector<Samples> shards_with_a_small_one(Index samples) {
  return {falling_scales(small_inputs, 100, 0), falling_scales(small_inputs, samples, 1),
          falling_scales(small_inputs, 100, 2)};
}

// Every column of the regression, and every point that the mean and a column make.
Samples guesses_from(const FeatureModel& model) {
  const Index components = model.sample_slopes.cols();
  Samples guesses(small_inputs, 1 + components);
  guesses.col(0) = model.sample_mean;
  guesses.rightCols(components) = model.sample_slopes.colwise() + model.sample_mean;
  return guesses;
}

FeatureModel model_of_small_node(std::string_view method, const std::vector<Samples>& shards) {
  const auto engine = make_engine("sim");
  const Graph graph = make_topology("complete", 3, 0);
  const GammaSpec gamma = parse_gamma("0.02");
  if (method == "gossip-pca") {
    gossip_pca::Options options;
    options.n_components.count = 1;
    options.features = FeatureKind::random_features;
    options.kernel.kind = KernelKind::rbf;
    options.gamma = gamma;
    options.n_features = 40;
    const auto fit = fit_gossip_pca(*engine, graph, shards, options);
    return std::get<FeatureModel>(gossip_pca::model_of(fit.at(small)));
  }
  consensus_kpca::Options options;
  options.share = consensus_kpca::Share::random_features;
  options.n_components.count = 1;
  options.gamma = gamma;
  const auto fit = fit_consensus_kpca(*engine, graph, shards, options);
  return std::get<FeatureModel>(consensus_kpca::model_of(fit.at(small), consensus_kpca::Answer::shared));
}

// As it was: least squares, whose mean is the sample where there is but one.
SampleRegression regressed_without_limit(const Samples& samples) {
  return {.mean = samples.rowwise().mean(), .slopes = Matrix::Zero(small_inputs, 1)};
}

TEST(SmallModels, HeldTheOnlySampleOfANodeOnceAndHoldNoneNow) {
  const std::vector<Samples> shards = shards_with_a_small_one(1);
  const SampleRegression careless = regressed_without_limit(shards[small]);
  EXPECT_EQ(recovered(shards[small], careless.mean, 1e-9), 1);
  for (const char* method : {"consensus-kpca", "gossip-pca"}) {
    const FeatureModel model = model_of_small_node(method, shards);
    EXPECT_EQ(recovered(shards[small], guesses_from(model), 1e-3), 0) << method;
    EXPECT_TRUE(model.sample_mean.isZero(0)) << method;
    EXPECT_TRUE(model.sample_slopes.isZero(0)) << method;
  }
}

// Of enough samples there is a regression, and none of them is in it.
TEST(SmallModels, OfEnoughSamplesMakeSamplesOfScores) {
  const std::vector<Samples> shards = shards_with_a_small_one(30);
  const FeatureModel model = model_of_small_node("consensus-kpca", shards);
  EXPECT_GT(model.sample_slopes.norm(), 0);
  EXPECT_EQ(recovered(shards[small], guesses_from(model), 1e-3), 0);
}

}  // namespace
}  // namespace choir::testing_attack
