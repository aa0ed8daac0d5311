#include "choir/experiment/oneshot_kpca/fusion.h"

#include <algorithm>

#include "paths.h"
#include <gtest/gtest.h>

#include "choir/experiment/digits.h"
#include "choir/graph/topology.h"
#include "choir/kernel/gram.h"
#include "choir/learn/oneshot_kpca/oneshot_kpca.h"
#include "choir/linalg/eigen.h"
#include "choir/metrics/subspace.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir {
namespace {

constexpr Index component_count = 4;
constexpr Index parties = 7;

class FusionTest : public ::testing::Test {
 protected:
  const FeatureData data_ = digit_images(read_digits({.quick = true, .data = datasets_folder()}, {}), 60, 1);
  const std::vector<Samples> shards_ = divide(data_.features, even_cuts(784, parties));

  FusedOutcome fused(const SendingRule& rule) const {
    return fuse({.kernel = data_.kernel, .shards = shards_, .components = component_count}, rule);
  }
  // The method itself, on a network.
  oneshot_kpca::Fit fitted(const SendingRule& rule) const {
    oneshot_kpca::Options options;
    options.estimator = rule.estimator;
    options.kernel = data_.kernel;
    options.gamma = {.rule = GammaRule::number, .value = data_.kernel.gamma};
    options.n_components.count = component_count;
    options.local_components = rule.size.count;
    options.tol = 1e-12;
    SimEngine engine;
    return fit_oneshot_kpca(engine, make_topology("star", parties, 0), shards_,
                            std::vector(parties, SampleOrder::numbered(60)), options);
  }
};

TEST_F(FusionTest, IsWhatTheCentreOfANetworkFinds) {
  for (const SendingRule& rule :
       {fixed_size(6), default_size(KernelKind::rbf, component_count), distances_size(6)}) {
    const FusedOutcome outcome = fused(rule);
    const oneshot_kpca::Fit fit = fitted(rule);
    EXPECT_LT(subspace_error(outcome.answer.vectors, fit.at(0).answer->vectors), 1e-18) << rule.name;
    Index sent = 0;
    for (const auto& party : fit.nodes) sent += party->vectors_sent;
    EXPECT_EQ(outcome.vectors, sent) << rule.name;
  }
}

TEST_F(FusionTest, ErrorsVanishWithWhatIsLeftOut) {
  const CentralTruth truth(data_, component_count);
  const double few = truth.error(fused(fixed_size(3)).answer.vectors);
  const double more = truth.error(fused(fixed_size(12)).answer.vectors);
  const double all = truth.error(fused(fixed_size(60)).answer.vectors);
  EXPECT_GT(few, more);
  EXPECT_GT(more, 1e-8);
  EXPECT_LT(all, 1e-15);
}

TEST_F(FusionTest, AdaptivePartiesSendWhatExceedsEpsilonAndTheDefaultAtLeastFiveMoreThanD) {
  Index above = 0;
  Index at_least_nine = 0;
  for (const Samples& shard : shards_) {
    const Vector values = eigen_symmetric<double>(gram<double>(data_.kernel, shard, shard)).values;
    const Index large = (values.array() > 5e-4 * values(0)).count();
    const Index rank = (values.array() > 1e-14 * values(0)).count();
    above += large;
    at_least_nine += std::min(rank, std::max<Index>(large, component_count + 5));
  }
  const FusedOutcome adaptive = fused(adaptive_size(KernelKind::rbf));
  EXPECT_EQ(adaptive.vectors, above);
  EXPECT_EQ(adaptive.numbers, 61 * above + 2 * parties);
  EXPECT_EQ(fused(default_size(KernelKind::rbf, component_count)).vectors, at_least_nine);
}

TEST(Fusion, SmallestEigenvalueIsSeenWhereItIsNegative) {
  const auto diagonal = [](const Tile& tile, double* out) {
    for (Index column = 0; column < tile.columns; ++column) {
      for (Index row = 0; row < tile.rows; ++row) {
        const Index at = tile.row + row;
        *out++ = at == tile.column + column ? (at == 1 ? -0.5 : 2) : 0;
      }
    }
  };
  const oneshot_kpca::FusedKernel kernel{.matrix = TriangularGram<double>::from_tiles(3, diagonal)};
  EXPECT_NEAR(smallest_eigenvalue_share(kernel), -0.25, 1e-15);
}

}  // namespace
}  // namespace choir
