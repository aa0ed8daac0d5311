// A neighbour in gossip that keeps the first summary of a node with few samples. choir says before anything
// is sent whose samples that shows (exposure.h); here is what it shows, and that it shows nobody else's.
#include "attack/solving.h"
#include "attack/view.h"
#include "learn/central/toy.h"
#include <gtest/gtest.h>

#include "choir/base/rng.h"
#include "choir/graph/topology.h"
#include "choir/learn/gossip_pca/exposure.h"
#include "choir/learn/gossip_pca/gossip_pca.h"
#include "choir/learn/gossip_pca/summary_message.h"
#include "choir/runtime/engines.h"

namespace choir::testing_attack {
namespace {

constexpr Index dimension = 12;
constexpr NodeId victim = 2;
constexpr Index carry = 8;

Samples patients(Index count, NodeId clinic) {
  Rng random(11, Purpose("patients"), static_cast<std::uint64_t>(clinic), 0);
  return Samples::NullaryExpr(dimension, count, [&] { return 100 + 15 * random.normal(); });
}

// What the neighbours of the victim make of the first summary of it alone: two samples, as if it had two.
Samples guessed(const View& view, Index clinics) {
  for (const Sight& sight : view.sights()) {
    if (sight.from != victim || sight.message.arrays().size() != 4) continue;
    const auto packed = gossip_pca::unpack(
        sight.message, {.rule = {.carry = carry}, .dimension = dimension, .nodes = clinics}, victim);
    if (packed.participants(0) != 1 << victim) continue;
    const gossip_pca::Summary& summary = packed.summary;
    const Vector mean = summary.sum / summary.weight;
    // Whatever share of it has been sent: the scatter of two samples is half the square of their distance.
    const Vector step = std::sqrt(summary.values(0) / summary.weight) * summary.basis.matrix().col(0);
    Samples two(dimension, 2);
    two << mean + step, mean - step;
    return two;
  }
  return Samples(dimension, 0);
}

std::vector<Index> sizes_of(const std::vector<Samples>& shards) {
  std::vector<Index> sizes;
  for (const Samples& shard : shards) sizes.push_back(shard.cols());
  return sizes;
}

gossip_pca::Options gossip_alone() {
  gossip_pca::Options options;
  options.n_components.count = 2;
  options.carry = carry;
  options.tol = 0;  // the covariance of few features is otherwise summed at once
  options.messages_per_node = 20;
  return options;
}

gossip_pca::Options merges_up_a_tree() {
  gossip_pca::Options options = gossip_alone();
  options.schedule = gossip_pca::Schedule::tree;
  options.messages_per_node.reset();
  return options;
}

Index recovered_of(Index patients_of_victim, const gossip_pca::Options& options = gossip_alone()) {
  std::vector<Samples> shards;
  for (NodeId clinic = 0; clinic < 5; ++clinic)
    shards.push_back(patients(clinic == victim ? patients_of_victim : 30, clinic));
  const Samples truth = shards[victim];
  const auto exposed = gossip_pca::exposed_nodes(sizes_of(shards), {.carry = carry, .dimension = dimension});
  EXPECT_EQ(exposed.empty(), patients_of_victim > carry + 1);
  View view({0, 1, 3, 4});
  fit_gossip_pca(*make_engine("sim"), make_topology("complete", 5, 0), shards, options, view.of({.seed = 1}));
  const Samples guesses = guessed(view, 5);
  EXPECT_EQ(guesses.cols(), 2) << "no summary of the victim alone was seen";
  return recovered(truth, guesses, 1e-6);
}

TEST(GossipAttack, TwoSamplesAreReadFromTheirSummaryAndTheirNodeIsNamedBefore) {
  EXPECT_EQ(recovered_of(2), 2);
}

TEST(GossipAttack, MoreSamplesAreNotReadThatWay) { EXPECT_EQ(recovered_of(carry + 2), 0); }

TEST(GossipAttack, AParentInTheTreeReadsThemToo) {
  EXPECT_EQ(recovered_of(2, merges_up_a_tree()), 2);
  EXPECT_EQ(recovered_of(carry + 2, merges_up_a_tree()), 0);
}

// Features are no cover: who knows the map looks for the sample that has them.
Index solved_from_features(Index patients_of_victim) {
  constexpr Index inputs = 3;
  std::vector<Samples> shards;
  for (std::uint64_t clinic = 0; clinic < 4; ++clinic)
    shards.push_back(
        testing_toys::falling_scales(inputs, clinic == victim ? patients_of_victim : 30, clinic));
  gossip_pca::Options options = gossip_alone();
  options.features = FeatureKind::random_features;
  options.kernel.kind = KernelKind::rbf;
  options.gamma = parse_gamma("0.1");
  options.n_features = 60;
  View view({0, 1, 3});
  const auto fit = fit_gossip_pca(*make_engine("sim"), make_topology("complete", 4, 0), shards, options,
                                  view.of({.seed = 1}));
  const FeatureMap map = *fit.at(0).map;
  const auto psi = [&](const Vector& x) -> Vector { return map.features(Matrix(x)); };
  for (const Sight& sight : view.sights()) {
    if (sight.from != victim || sight.message.arrays().size() != 4) continue;
    const auto packed =
        gossip_pca::unpack(sight.message, {.rule = {.carry = carry}, .dimension = 60, .nodes = 4}, victim);
    if (packed.participants(0) != 1 << victim) continue;
    const Vector mean = packed.summary.sum / packed.summary.weight;
    Rng random(1, Purpose("starts"));
    const Samples starts = Samples::NullaryExpr(inputs, 60, [&] { return 2 * random.normal(); });
    const Samples guesses = samples_in_span(mean * mean.transpose(), 1, psi, starts);
    return recovered(shards[victim], guesses, 1e-3);
  }
  ADD_FAILURE() << "no summary of the victim alone was seen";
  return -1;
}

TEST(GossipAttack, TheFeaturesOfASingleSampleAreSolvedForItAndTheMeanOfManyIsNot) {
  EXPECT_EQ(solved_from_features(1), 1);
  EXPECT_EQ(solved_from_features(30), 0);
}

}  // namespace
}  // namespace choir::testing_attack
