#include "choir/learn/online_kernel/class_balance.h"

#include <cmath>

#include <gtest/gtest.h>

#include "choir/learn/online_kernel/losses.h"

namespace choir::online_kernel {
namespace {

Options two_classes() {
  Options options;
  options.classes = {3, 8};
  return options;
}

TEST(ClassBalance, CountsPlaces) {
  Vector targets(4);
  targets << 1, 0, 1, 1;
  EXPECT_EQ(count_classes(targets, two_classes()), Vector({{1.0, 3.0}}));
  Options values;
  values.loss = Loss::squared;
  EXPECT_EQ(count_classes(targets, values).size(), 0);
  EXPECT_EQ(class_offsets(Vector(0), values), Vector::Zero(1));
}

TEST(ClassBalance, OffsetsAreLogsOfSharesAndNothingAtFirst) {
  EXPECT_EQ(class_offsets(Vector::Zero(2), two_classes()), Vector::Zero(2));
  const Vector offsets = class_offsets(Vector({{98.0, 0.0}}), two_classes());
  EXPECT_NEAR(offsets(0), std::log(2 * 0.99), 1e-12);
  EXPECT_NEAR(offsets(1), std::log(2 * 0.01), 1e-12);
  Options none = two_classes();
  none.class_weights = ClassWeights::none;
  EXPECT_EQ(class_offsets(Vector({{98.0, 0.0}}), none), Vector::Zero(2));
}

// Where nothing tells the classes apart, the mean gradient vanishes at equal scores: no class is preferred.
TEST(ClassBalance, EqualScoresAreTheOptimumOfUninformativeSamples) {
  const Vector counts{{970.0, 30.0}};
  Vector targets = Vector::Zero(1000);
  targets.tail(30).setOnes();
  const Matrix scores = Vector::Ones(1000) * class_offsets(counts, two_classes()).transpose();
  const Vector mean = loss_gradient(Loss::logistic, scores, targets).gradient.colwise().mean();
  EXPECT_LT(mean.cwiseAbs().maxCoeff(), 1e-3);
}

}  // namespace
}  // namespace choir::online_kernel
