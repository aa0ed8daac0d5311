#include "choir/learn/online_kernel/examination.h"

#include <cmath>

#include "linalg/matrices.h"
#include <gtest/gtest.h>

namespace choir::online_kernel {
namespace {

// Three samples of two classes: two right, one of the first class taken for the second.
const Matrix scores{{0.9, 0.2}, {0.4, 0.6}, {0.1, 0.8}};
const Questions questions{.targets = Matrix{{1, 0}, {1, 0}, {0, 1}}, .weights = Vector{{1, 1, 2}}};

TEST(Examination, CountsAndAddsUpLosses) {
  const Examination found = examine(scores, questions, Vector{{0.5, 0.5}});
  EXPECT_EQ(found.weight, 4);
  EXPECT_NEAR(found.loss, 0.05 + 0.72 + 2 * 0.05, 1e-12);
  EXPECT_NEAR(found.constant_loss, 4 * 0.5, 1e-12);
  EXPECT_EQ(found.seen, (Vector{{2, 1}}));
  EXPECT_EQ(found.taken, (Vector{{1, 2}}));
  const auto chance = [](double own, double other) {
    return std::exp(own) / (std::exp(own) + std::exp(other));
  };
  EXPECT_NEAR(found.log_losses(0),
              -std::log(chance(0.9, 0.2)) - std::log(chance(0.4, 0.6)) - 2 * std::log(chance(0.8, 0.1)),
              1e-12);
}

TEST(Examination, ValuesHaveLossesAlone) {
  const Questions values{.targets = Vector{{1, 3}}, .weights = Vector{{1, 1}}};
  const Examination found = examine(Vector{{1, 2}}, values, Vector{{2}});
  EXPECT_EQ(found.loss, 1);
  EXPECT_EQ(found.constant_loss, 2);
  EXPECT_EQ(found.seen.sum() + found.taken.sum() + found.log_losses.sum(), 0);
}

TEST(Examination, RowsAddUp) {
  const Examination found = examine(scores, questions, Vector{{0.5, 0.5}});
  const Examination twice = Examination::of(found.row() + found.row());
  EXPECT_EQ(twice.loss, 2 * found.loss);
  EXPECT_EQ(twice.taken, Vector(2 * found.taken));
  EXPECT_EQ(twice.log_losses, Vector(2 * found.log_losses));
}

// Scores that are a tenth of the log-odds of a simulated truth: the scale is 10, and the grid has 8 and 11.3.
TEST(Examination, TheScaleMakesChancesTrue) {
  Rng random(1, Purpose("test-score-scale"));
  const Index count = 20000;
  Matrix drawn = Matrix::Zero(count, 2), targets = Matrix::Zero(count, 2);
  for (Index n = 0; n < count; ++n) {
    const double odds = 3 * random.normal();
    drawn(n, 1) = odds / 10;
    targets(n, random.uniform() < 1 / (1 + std::exp(-odds)) ? 1 : 0) = 1;
  }
  const Questions asked{.targets = targets, .weights = Vector::Ones(count)};
  const double scale = best_score_scale(examine(drawn, asked, Vector{{0.5, 0.5}}).log_losses);
  EXPECT_GT(scale, 7.9);
  EXPECT_LT(scale, 11.4);
}

}  // namespace
}  // namespace choir::online_kernel
