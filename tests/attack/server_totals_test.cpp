// A server that keeps to the protocol, and the total of W'W that it asks for once. Landmarks are made of
// published means of `min_count` samples, so there are at least as many samples for each of them. With 5, the
// default, none of 240 samples of the plane was found; with 2 some that stand alone are.
#include "attack/solving.h"
#include "attack/view.h"
#include <gtest/gtest.h>

#include "choir/kernel/nystroem.h"
#include "choir/learn/federated_kmeans/federated_kmeans.h"
#include "choir/linalg/columns.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir::testing_attack {
namespace {

constexpr Index asked_devices = 2;
constexpr Index of_an_asked_device = 120;

// What the server knows of a run: the landmarks, and the sum of W'W over all samples.
Index found_by_server(const std::vector<Samples>& shards, Index min_count) {
  federated_kmeans::Options options;
  options.n_clusters = 3;
  options.n_landmarks = 60;
  options.min_count = min_count;
  options.eigen_route = federated_kmeans::EigenRoute::gram;
  options.gamma = parse_gamma("0.3");
  options.restarts = 2;
  SimEngine engine;
  const auto fit = fit_federated_kmeans(engine, shards, options, {.seed = 1});
  const ClusterModel& model = fit.at(asked_devices).model;
  EXPECT_GE(model.points.cols(), 20);
  const NystroemFeatures nystroem(model.kernel, model.points);
  const Samples all = side_by_side(shards);
  const Matrix w = nystroem.transform(all);
  const auto at = [&](const Vector& x) -> Vector { return nystroem.transform(Matrix(x)); };
  return recovered(all, lone_samples(w * w.transpose(), at, 6, 120, 16), 0.2);
}

TEST(ServerTotals, ShowLoneSamplesOfThePlaneOfTwoSamplesALandmarkAndNoneOfFive) {
  Index of_two = 0;
  Index of_five = 0;
  for (std::uint64_t draw = 0; draw < 3; ++draw) {
    const std::vector<Samples> shards = {samples_of_the_plane(of_an_asked_device, 2 * draw),
                                         samples_of_the_plane(of_an_asked_device, 2 * draw + 1)};
    of_two += found_by_server(shards, 2);
    of_five += found_by_server(shards, 5);
  }
  EXPECT_GE(of_two, 3);
  EXPECT_EQ(of_five, 0);
}

}  // namespace
}  // namespace choir::testing_attack
