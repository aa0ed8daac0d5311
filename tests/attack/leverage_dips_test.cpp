// Whoever reads the total over all nodes, the root, and looks where psi(x)'S^-1 psi(x) dips: samples that
// stand nearly alone lie there. In two dimensions 400 samples were not enough for 100 features.
#include "attack/solving.h"
#include "attack/view.h"
#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/learn/features/landmarks.h"
#include "choir/runtime/engine.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir::testing_attack {
namespace {

const Kernel plane_rbf{.kind = KernelKind::rbf, .gamma = 0.3};
constexpr Index each = 120;
constexpr Index summed_features = 60;  // a quarter of the samples

SharedLandmarks landmarks_of(const std::vector<Samples>& shards, bool summed) {
  const Contract contract{
      .method = "landmarks",
      .kinds = {Kind::own_statistics, Kind::centroids, Kind::masked, Kind::totals, Kind::control}};
  SimEngine engine;
  const auto outcome = run_nodes<SharedLandmarks>(
      engine, make_topology("line", 2, 0), contract, {}, [&](Node& node) -> Task<SharedLandmarks> {
        const Array shard(shards[static_cast<std::size_t>(node.id())]);
        const LandmarkOptions wanted{.count = summed_features, .summed = summed};
        const SharedLandmarks found = co_await agreed_landmarks(node, shard, plane_rbf, wanted);
        co_return found;
      });
  return *outcome.results[0];
}

// From the total that these landmarks' features make.
Index found_with(const SharedLandmarks& landmarks, const Samples& all) {
  const Matrix psi = landmarks.features(plane_rbf, all);
  const auto at = [&](const Vector& x) -> Vector { return landmarks.features(plane_rbf, Matrix(x)); };
  return recovered(all, lone_samples(psi * psi.transpose(), at, 6, 120, 16), 0.2);
}

TEST(LeverageDips, ShowLoneSamplesInUnlimitedTotalsAndNoneInSafeOnes) {
  Index in_unlimited = 0;
  for (std::uint64_t draw = 0; draw < 3; ++draw) {
    const std::vector<Samples> shards = {samples_of_the_plane(each, 2 * draw),
                                         samples_of_the_plane(each, 2 * draw + 1)};
    Samples all(2, 2 * each);
    all << shards[0], shards[1];
    in_unlimited += found_with(landmarks_of(shards, false), all);
    const SharedLandmarks safe = landmarks_of(shards, true);
    EXPECT_GE(safe.whitening.columns(), 3);
    EXPECT_EQ(found_with(safe, all), 0);
  }
  EXPECT_GE(in_unlimited, 3);
}

}  // namespace
}  // namespace choir::testing_attack
