#include "choir/learn/online_kernel/progressive.h"

#include <cmath>

#include <gtest/gtest.h>

namespace choir::online_kernel {
namespace {

TEST(Progressive, CountsWhatCameAndWhatWasPredicted) {
  Matrix scores(4, 2);
  scores << 1, 0,  //
      2, 3,        //
      0, 1,        //
      5, 4;
  Vector targets(4);
  targets << 0, 1, 0, 0;
  Progressive seen;
  seen.judge({.scores = scores, .targets = targets, .loss = 0.5}, true);
  seen.judge({.scores = scores.topRows(1).eval(), .targets = Vector::Ones(1), .loss = 2}, true);
  EXPECT_EQ(seen.samples, 5);
  EXPECT_DOUBLE_EQ(seen.mean_loss(), 0.8);
  EXPECT_DOUBLE_EQ(seen.recent, 0.95 * 0.5 + 0.05 * 2);
  const Matrix first{{3, 2, 2}, {1, 2, 1}};
  EXPECT_LT((seen.classes - 0.98 * first - Matrix{{0, 1, 0}, {1, 0, 0}}).norm(), 1e-12);
  EXPECT_DOUBLE_EQ(seen.accuracy(), 0.6);
  EXPECT_DOUBLE_EQ(balanced_accuracy(first), (2.0 / 3 + 1) / 2);
}

TEST(Progressive, ErrorsOfValuesAreInTheTargetsUnits) {
  Progressive seen;
  const Matrix scores{{1.0}, {0.0}};
  const Vector targets{{0.0, 2.0}};
  seen.judge({.scores = scores, .targets = targets, .loss = 1, .target_scale = 10}, false);
  EXPECT_DOUBLE_EQ(seen.rmse(), std::sqrt((100 + 400) / 2.0));
  EXPECT_DOUBLE_EQ(seen.deviations, 400);
  EXPECT_EQ(seen.accuracy(), 0);
}

TEST(Progressive, AddsUpOverNodes) {
  Progressive first{.samples = 10, .loss = 5, .mistakes = 4, .squares = 1, .deviations = 2, .recent = 0.4};
  Progressive second{.samples = 30, .loss = 3, .squares = 2, .deviations = 3, .recent = 0.2};
  second.classes = Matrix::Ones(2, 3);
  const Progressive both = sum_of(first, second);
  EXPECT_EQ(both.samples, 40);
  EXPECT_EQ(both.mistakes, 4);
  EXPECT_EQ(both.squares, 3);
  EXPECT_EQ(both.deviations, 5);
  EXPECT_DOUBLE_EQ(both.mean_loss(), 0.2);
  EXPECT_DOUBLE_EQ(both.recent, 0.25);
  EXPECT_EQ(both.classes, second.classes);
  EXPECT_EQ(sum_of(both, second).classes, 2 * second.classes);
  EXPECT_EQ(Progressive().mean_loss(), 0);
}

}  // namespace
}  // namespace choir::online_kernel
