#include "choir/learn/consensus_kpca/shared_view.h"

#include <cmath>
#include <limits>

#include "linalg/matrices.h"
#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/kernel/nystroem.h"
#include "choir/linalg/qr.h"
#include "choir/runtime/engine.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir::consensus_kpca {
namespace {

// Landmarks that span everything a linear kernel can see: features are samples in other coordinates.
LandmarkView linear_view(Index features) {
  const Kernel kernel{.kind = KernelKind::linear};
  const NystroemFeatures map(kernel, Matrix::Identity(features, features));
  return {.landmarks = {.points = Array(map.landmarks()), .whitening = Array(map.whitening())},
          .kernel = kernel,
          .own_mean = Vector::Zero(features),
          .shown_mean = Vector::Zero(features)};
}

TEST(SharedView, ShowsTheCombinationOfTheSamples) {
  LandmarkView view = linear_view(3);
  const Matrix whitening = view.landmarks.whitening.matrix();
  const std::vector<Array> shards = {Array(testing::random_matrix(3, 4, 1)),
                                     Array(testing::random_matrix(3, 2, 2))};
  const Matrix coefficients = testing::random_matrix(6, 2, 3);
  Matrix both(3, 6);
  both << shards[0].matrix(), shards[1].matrix();
  const Matrix plain = whitening.transpose() * both * coefficients;
  EXPECT_LE((in_landmark_features(view, shards, coefficients) - plain).norm(), 1e-12);
  // The node's own samples lose one mean, those that came lose another.
  view.own_mean = testing::random_matrix(3, 1, 4);
  view.shown_mean = testing::random_matrix(3, 1, 5);
  const Matrix lost = view.own_mean * coefficients.topRows(4).colwise().sum() +
                      view.shown_mean * coefficients.bottomRows(2).colwise().sum();
  EXPECT_LE((in_landmark_features(view, shards, coefficients) - (plain - lost)).norm(), 1e-12);
}

GuardedAnswer answer_of(Index features, Index columns, Index kept) {
  const Matrix directions = Matrix::Identity(features, columns);
  Vector variances(columns);
  for (Index d = 0; d < columns; ++d) variances(d) = std::pow(0.5, static_cast<double>(d));
  return {.directions = directions, .variances = variances, .kept = kept};
}

TEST(SharedView, AgreementIsTheShareOfTheAnswerThatIsSpanned) {
  const GuardedAnswer answer = answer_of(4, 3, 2);
  EXPECT_NEAR(agreement_with(answer, Matrix::Identity(4, 2)), 1, 1e-15);
  EXPECT_NEAR(agreement_with(answer, Matrix::Identity(4, 4).rightCols(2)), 0, 1e-15);
  EXPECT_NEAR(agreement_with(answer, Matrix::Identity(4, 4).middleCols(1, 2)), 0.5, 1e-15);
  EXPECT_EQ(agreement_with(answer, Matrix::Constant(4, 2, std::numeric_limits<double>::quiet_NaN())), 0);
}

TEST(SharedView, TheWorstNodeDecides) {
  const Contract contract{.method = "view",
                          .kinds = {Kind::own_statistics, Kind::masked, Kind::totals, Kind::control}};
  SimEngine engine;
  const auto outcome =
      run_nodes<Vector>(engine, make_topology("line", 4, 0), contract, {}, [](Node& node) -> Task<Vector> {
        // Node j's second direction is turned by j times a tenth.
        const double angle = 0.1 * node.id();
        Matrix seen = Matrix::Identity(4, 2);
        seen(1, 1) = std::cos(angle);
        seen(3, 1) = std::sin(angle);
        const Vector cosines = co_await agreed_cosines(node, answer_of(4, 3, 2), seen);
        co_return cosines;
      });
  for (const auto& cosines : outcome.results) {
    EXPECT_NEAR((*cosines)(0), 1, 1e-12);
    EXPECT_NEAR((*cosines)(1), std::cos(0.3), 1e-12);
  }
}

TEST(SharedView, IndependentErrorsMultiply) {
  const Vector cosines = Eigen::Vector2d(0.98, 0.975);
  const Vector claims = Eigen::Vector2d(0.98, 0.98);
  EXPECT_NEAR(claims_beside(cosines, claims)(1), 0.975 * 0.98, 1e-15);
  EXPECT_TRUE(is_better_beside(cosines, claims));                       // an error of .005 for .02
  EXPECT_FALSE(is_better_beside(Eigen::Vector2d(0.98, 0.96), claims));  // .02 for .02
  EXPECT_FALSE(is_better_beside(Eigen::Vector2d(0.91, 0.91), Eigen::Vector2d(0.95, 0.95)));  // no claim
}

}  // namespace
}  // namespace choir::consensus_kpca
