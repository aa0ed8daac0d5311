// A curious parent in the tree, and the sum of psi psi' that a child with few samples adds. In 0.1.0 it came
// in clear: 81 of 100 digits and 51 of 57 patients were solved from one message.
#include "attack/solving.h"
#include "attack/view.h"
#include "learn/central/toy.h"
#include <gtest/gtest.h>

#include "choir/base/rng.h"
#include "choir/graph/topology.h"
#include "choir/kernel/nystroem.h"
#include "choir/learn/consensus_kpca/feature_moments.h"
#include "choir/learn/features/random_totals.h"
#include "choir/runtime/engine.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir::testing_attack {
namespace {

using consensus_kpca::FeatureMoments;
using testing_toys::falling_scales;

constexpr Index inputs = 3;
constexpr Index few = 5;
constexpr NodeId solved_node = 1;
const Kernel wide_rbf{.kind = KernelKind::rbf, .gamma = 0.2};

Samples starts() {
  Rng random(1, Purpose("starts"));
  return Samples::NullaryExpr(inputs, 150, [&] { return 2 * random.normal(); });
}

Features of(const FeatureMap& map) {
  return [map](const Vector& sample) -> Vector { return map.features(Matrix(sample)); };
}

// What node `solved_node` adds to a sum of features, as 0.1.0 sent it to its parent.
Index solved_from_clear_sum(const FeatureMap& map, const Samples& samples) {
  const Matrix psi = map.features(samples);
  const FeatureMoments sent = FeatureMoments::of(psi, Vector::Ones(samples.cols()));
  return recovered(samples, samples_in_span(sent.products, few, of(map), starts()), 1e-3);
}

// The same from words that should be uniform, read as numbers that fit the number of samples.
Index solved_from_words(const FeatureMap& map, const Sight& sight, const Samples& samples) {
  const auto words = sight.message.array(0).integers();
  Matrix column = words.cast<double>().topRows(words.rows() - 1);  // the last one counts nodes
  column *= static_cast<double>(few) / column.cwiseAbs().maxCoeff();
  const FeatureMoments read = FeatureMoments::unpacked(column);
  const Index rank = std::min(few, read.products.cols());
  return recovered(samples, samples_in_span(read.products, rank, of(map), starts()), 1e-3);
}

struct Watched {
  std::vector<Sight> masked;
  std::vector<Sight> readable;
  FeatureMap map;
};

// A sum of features as the program forms it; the neighbours of that node listen.
template <class Agree>
Watched watched_sum(const Samples& samples, Agree agree) {
  const Contract contract{
      .method = "sum",
      .kinds = {Kind::own_statistics, Kind::centroids, Kind::masked, Kind::totals, Kind::control}};
  View view({0, 2});
  SimEngine engine;
  const auto outcome = run_nodes<FeatureMap>(
      engine, make_topology("line", 3, 0), contract, view.of(), [&](Node& node) -> Task<FeatureMap> {
        const Samples own = node.id() == solved_node
                                ? samples
                                : falling_scales(inputs, 100, 20 + static_cast<std::uint64_t>(node.id()));
        SecureSums sums = co_await open_secure_sums(node);
        const Array shard(own);
        const FeatureMap map = co_await agree(node, sums, shard);
        const Matrix psi = map.features(own);
        FeatureMoments mine = FeatureMoments::of(psi, Vector::Ones(own.cols()));
        const consensus_kpca::BasisWish wish{.components = {.count = 1}};
        const auto basis = co_await consensus_kpca::agreed_basis(node, sums, std::move(mine),
                                                                 consensus_kpca::Agree::tree, wish);
        EXPECT_EQ(basis.samples, 200 + few);
        co_return map;
      });
  const FeatureMap& map = *outcome.results[0];
  Watched watched{.masked = view.sights(Kind::masked, solved_node),
                  .readable = view.sights(Kind::own_statistics, solved_node),
                  .map = map};
  return watched;
}

// The child's message with the sum of features: the last masked one.
void expect_nothing_from(const Watched& watched, const Samples& samples) {
  ASSERT_FALSE(watched.masked.empty());
  const Index m = watched.map.features(samples).rows();
  EXPECT_GE(m, 3);
  const Sight& sum = watched.masked.back();
  ASSERT_EQ(sum.message.array(0).integers().rows(), 2 + m + m * (m + 1) / 2 + 1);
  EXPECT_EQ(solved_from_words(watched.map, sum, samples), 0);
  for (const Sight& sight : watched.readable) {
    for (std::size_t i = 0; i < sight.message.arrays().size(); ++i)
      EXPECT_LE(sight.message.array(i).matrix().size(), inputs + 1) << "magnitudes of rows, no sums";
  }
}

TEST(SumsOfFew, RandomFeaturesOfAChildAreSolvedInClearAndNotUnderMasks) {
  const Samples samples = falling_scales(inputs, few, 3);
  FeatureMap in_clear{.kernel = wide_rbf};
  in_clear.random = RandomFeaturesOptions{.count = 60, .seed = 5};
  EXPECT_GE(solved_from_clear_sum(in_clear, samples), 4);
  const auto agree = [](Node& node, SecureSums& sums, Array shard) -> Task<FeatureMap> {
    return agreed_random_features(node, sums, std::move(shard), wide_rbf, RandomTotals{.count = 60});
  };
  expect_nothing_from(watched_sum(samples, agree), samples);
}

Task<FeatureMap> by_landmarks(Node& node, SecureSums& sums, Array shard) {
  FeatureMap map{.kernel = wide_rbf};
  const LandmarkOptions wanted{.count = 60, .summed = true};
  map.landmarks = co_await agreed_landmarks(node, sums, std::move(shard), wide_rbf, wanted);
  co_return map;
}

TEST(SumsOfFew, LandmarkFeaturesOfAChildAreSolvedInClearAndNotUnderMasks) {
  const Samples samples = falling_scales(inputs, few, 4);
  const Samples points = falling_scales(inputs, 60, 9);
  const NystroemFeatures nystroem(wide_rbf, points);
  const FeatureMap in_clear{
      .kernel = wide_rbf,
      .landmarks = SharedLandmarks{.points = Array(points), .whitening = Array(nystroem.whitening())}};
  EXPECT_GE(solved_from_clear_sum(in_clear, samples), 4);
  expect_nothing_from(watched_sum(samples, by_landmarks), samples);
}

// --agree consensus averages with neighbours, and what they are sent first is the node's own sums. This is
// documented: only --agree tree masks.
TEST(SumsOfFew, AreSolvedByANeighbourWhereSumsAreAveraged) {
  const Samples samples = falling_scales(inputs, few, 3);
  FeatureMap map{.kernel = wide_rbf};
  map.random = RandomFeaturesOptions{.count = 60, .seed = 5};
  const Contract contract{.method = "sum",
                          .kinds = {Kind::own_statistics, Kind::masked, Kind::totals, Kind::control}};
  View view({0});
  SimEngine engine;
  run_nodes<double>(
      engine, make_topology("line", 3, 0), contract, view.of(), [&](Node& node) -> Task<double> {
        const Samples own = node.id() == solved_node
                                ? samples
                                : falling_scales(inputs, 100, 20 + static_cast<std::uint64_t>(node.id()));
        SecureSums sums = co_await open_secure_sums(node);
        const Matrix psi = map.features(own);
        FeatureMoments mine = FeatureMoments::of(psi, Vector::Ones(own.cols()));
        const consensus_kpca::BasisWish wish{.components = {.count = 1}};
        const auto basis = co_await consensus_kpca::agreed_basis(node, sums, std::move(mine),
                                                                 consensus_kpca::Agree::consensus, wish);
        co_return basis.trace;
      });
  constexpr Index packed_rows = 2 + 60 + 60 * 61 / 2;
  for (const Sight& sight : view.sights(Kind::own_statistics, solved_node)) {
    if (sight.message.arrays().empty() || sight.message.array(0).rows() != packed_rows) continue;
    const FeatureMoments first = FeatureMoments::unpacked(sight.message.array(0).matrix());
    const Samples guesses = samples_in_span(first.products, few, of(map), starts());
    EXPECT_GE(recovered(samples, guesses, 1e-3), 4);
    return;
  }
  FAIL() << "the neighbour was sent no sums";
}

}  // namespace
}  // namespace choir::testing_attack
