// A neighbour that takes exchange noise off again. In 0.1.0 the noise was drawn from the run's seed, which
// everybody knows.
#include "attack/view.h"
#include "learn/central/toy.h"
#include <gtest/gtest.h>

#include "choir/base/rng.h"
#include "choir/graph/topology.h"
#include "choir/learn/consensus_kpca/consensus_kpca.h"
#include "choir/runtime/engines.h"

namespace choir::testing_attack {
namespace {

using testing_toys::falling_scales;

constexpr std::uint64_t seed = 7;
constexpr double sigma = 100;

Matrix noise_of_the_seed(NodeId node, Index rows, Index columns) {
  Rng rng(seed, Purpose("exchange noise"), static_cast<std::uint64_t>(node), 0);
  return Matrix::NullaryExpr(rows, columns, [&] { return sigma * rng.normal(); });
}

TEST(PublicNoise, OfTheSeedComesOffAndThatOfTheProgramDoesNot) {
  std::vector<Samples> shards;
  for (std::uint64_t node = 0; node < 4; ++node) shards.push_back(falling_scales(4, 20, node));
  const Samples& victim = shards[1];
  const Matrix noise = noise_of_the_seed(1, victim.rows(), victim.cols());
  EXPECT_EQ(recovered(victim, (victim + noise) - noise, 1e-9), 20);  // as 0.1.0 sent it

  consensus_kpca::Options options;
  options.share = consensus_kpca::Share::samples;
  options.n_components.count = 1;
  options.n_landmarks = 10;
  options.gamma.value = 0.05;
  options.exchange_noise = sigma;
  View view({0});
  const auto engine = make_engine("sim");
  const Graph graph = make_topology("complete", 4, 0);
  fit_consensus_kpca(*engine, graph, shards, options, view.of({.seed = seed}));
  const std::vector<Sight> sights = view.sights(Kind::raw_samples, 1);
  ASSERT_EQ(sights.size(), 1u);
  const Matrix shown = sights[0].message.array(0).matrix();
  ASSERT_EQ(shown.cols(), 20);
  EXPECT_GT((shown - victim).norm(), 0.5 * sigma * std::sqrt(80.0)) << "there is noise at all";
  EXPECT_EQ(recovered(victim, shown - noise, 1), 0);
}

}  // namespace
}  // namespace choir::testing_attack
