// Whoever reads the total over all nodes, the root, and looks where psi(x)'S^-1 psi(x) dips: samples that
// stand nearly alone lie there. In two dimensions 400 samples were not enough for 100 features.
#include "attack/solving.h"
#include "attack/view.h"
#include <gtest/gtest.h>

#include "choir/base/rng.h"
#include "choir/graph/topology.h"
#include "choir/learn/features/landmarks.h"
#include "choir/runtime/engine.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir::testing_attack {
namespace {

const Kernel plane_rbf{.kind = KernelKind::rbf, .gamma = 0.5};
constexpr Index each = 80;
constexpr Index features = 40;  // a quarter of the samples

Samples plane(std::uint64_t node) {
  Rng random(node, Purpose("plane"));
  Samples samples = Samples::NullaryExpr(2, each, [&] { return random.normal(); });
  samples.leftCols(3) *= 2;
  return samples;
}

SharedLandmarks landmarks_of(bool summed) {
  const Contract contract{
      .method = "landmarks",
      .kinds = {Kind::own_statistics, Kind::centroids, Kind::masked, Kind::totals, Kind::control}};
  SimEngine engine;
  const auto outcome = run_nodes<SharedLandmarks>(
      engine, make_topology("line", 2, 0), contract, {}, [&](Node& node) -> Task<SharedLandmarks> {
        const Array shard(plane(static_cast<std::uint64_t>(node.id())));
        const LandmarkOptions wanted{.count = features, .summed = summed};
        const SharedLandmarks found = co_await agreed_landmarks(node, shard, plane_rbf, wanted);
        co_return found;
      });
  return *outcome.results[0];
}

// From the total that these landmarks' features make.
Index found_with(const SharedLandmarks& landmarks, const Samples& all) {
  const Matrix psi = landmarks.features(plane_rbf, all);
  const auto features_at = [&](const Vector& x) -> Vector { return landmarks.features(plane_rbf, Matrix(x)); };
  return recovered(all, lone_samples(psi * psi.transpose(), features_at, 6, 180, 25), 0.15);
}

TEST(LeverageDips, ShowLoneSamplesInAnUnlimitedTotalAndNoneInASafeOne) {
  Samples all(2, 2 * each);
  all << plane(0), plane(1);
  EXPECT_GE(found_with(landmarks_of(false), all), 3);
  const SharedLandmarks safe = landmarks_of(true);
  EXPECT_GE(safe.whitening.columns(), 3);
  EXPECT_EQ(found_with(safe, all), 0);
}

}  // namespace
}  // namespace choir::testing_attack
