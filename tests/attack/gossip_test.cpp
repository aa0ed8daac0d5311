// A neighbour in gossip that keeps the first summary of a node with few samples. choir says before anything
// is sent whose samples that shows (exposure.h); here is what it shows, and that it shows nobody else's.
#include "attack/view.h"
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

Index recovered_of(Index patients_of_victim) {
  std::vector<Samples> shards;
  for (NodeId clinic = 0; clinic < 5; ++clinic)
    shards.push_back(patients(clinic == victim ? patients_of_victim : 30, clinic));
  const Samples truth = shards[victim];
  const auto exposed = gossip_pca::exposed_nodes(sizes_of(shards), {.carry = carry, .dimension = dimension});
  EXPECT_EQ(exposed.empty(), patients_of_victim > carry + 1);
  View view({0, 1, 3, 4});
  gossip_pca::Options options;
  options.n_components.count = 2;
  options.carry = carry;
  options.tol = 0;  // gossip alone: the covariance of few features is otherwise summed at once
  options.messages_per_node = 20;
  fit_gossip_pca(*make_engine("sim"), make_topology("complete", 5, 0), shards, options, view.of({.seed = 1}));
  const Samples guesses = guessed(view, 5);
  EXPECT_EQ(guesses.cols(), 2) << "no summary of the victim alone was seen";
  return recovered(truth, guesses, 1e-6);
}

TEST(GossipAttack, TwoSamplesAreReadFromTheirSummaryAndTheirNodeIsNamedBefore) {
  EXPECT_EQ(recovered_of(2), 2);
}

TEST(GossipAttack, MoreSamplesAreNotReadThatWay) { EXPECT_EQ(recovered_of(carry + 2), 0); }

}  // namespace
}  // namespace choir::testing_attack
