#include "choir/learn/online_kernel/memories.h"

#include <gtest/gtest.h>

#include "choir/base/rng.h"
#include "choir/learn/online_kernel/openings.h"
#include "choir/learn/online_kernel/ridge_family.h"

namespace choir::online_kernel {
namespace {

constexpr Index remembered = 5;
constexpr Index small_ridge = 2;  // of the grid: 0.1

struct DrawnBlock {
  Matrix psi;
  Vector values;
  FeatureSums sums() const {
    FeatureSums all = FeatureSums::none(remembered, 1);
    all.learn(psi, values, Vector::Ones(values.size()));
    return all;
  }
};

// y = slopes'psi + noise
DrawnBlock drawn_with(const Vector& slopes, std::uint64_t seed) {
  Rng random(seed, Purpose("test-memories"));
  DrawnBlock block{.psi = Matrix::NullaryExpr(remembered, 60, [&] { return random.normal(); }),
                   .values = Vector(60)};
  for (Index n = 0; n < 60; ++n) block.values(n) = slopes.dot(block.psi.col(n)) + 0.3 * random.normal();
  return block;
}

Vector slopes_from(double first) { return Vector::LinSpaced(remembered, first, 1); }

Memories all_memories() { return Memories::none(half_lives_to_try(std::nullopt, remembered), remembered, 1); }

void teach(const DrawnBlock& block, Memories& memories) {
  memories.forget(1, block.psi.cols(), 1);
  memories.learn(block.sums(), Weighing::as_they_came);
}

TEST(Memories, LossesAreThoseOfAnswersThatHadNotSeenTheBlock) {
  Memories memories = all_memories();
  const DrawnBlock first = drawn_with(slopes_from(-1), 1), second = drawn_with(slopes_from(-1), 2);
  teach(first, memories);
  EXPECT_EQ(memories.losses, Matrix::Zero(4, ridge_candidates)) << "nothing was learned before";
  teach(second, memories);
  const Vector scores = scores_of(ridge_weights(first.sums(), ridge_factor(small_ridge)), second.psi).col(0);
  EXPECT_NEAR(memories.losses(0, small_ridge), (scores - second.values).squaredNorm() / 60, 1e-12);
}

TEST(Memories, AStreamThatStaysIsRemembered) {
  Memories memories = all_memories();
  for (std::uint64_t n = 0; n < 30; ++n) {
    teach(drawn_with(slopes_from(-1), n), memories);
    if (n > 2) EXPECT_EQ(memories.best(), 0U) << n;  // before, all memories are of nearly the same samples
  }
  EXPECT_EQ(memories.sums[0].samples, 1800);
  EXPECT_LT(memories.sums[3].samples, 100);
}

TEST(Memories, AStreamThatTurnsIsForgotten) {
  Memories memories = all_memories();
  for (std::uint64_t n = 0; n < 30; ++n)
    teach(drawn_with(slopes_from(static_cast<double>(n) - 15), n), memories);
  EXPECT_GE(memories.best(), 2U) << "not much more than the last block";
  for (std::uint64_t n = 30; n < 230; ++n) teach(drawn_with(slopes_from(15), n), memories);
  EXPECT_LE(memories.best(), 1U) << "it stays again";
}

TEST(Memories, AGivenHalfLifeIsTheOnlyOne) {
  Memories memories = Memories::none(half_lives_to_try(120, remembered), remembered, 1);
  teach(drawn_with(slopes_from(1), 1), memories);
  teach(drawn_with(slopes_from(-1), 2), memories);
  EXPECT_EQ(memories.best(), 0U);
  EXPECT_NEAR(memories.sums[0].samples, 60 + 60 * std::sqrt(0.5), 1e-9);
}

// Blocks of one class each: whoever remembers the last one alone is right about the next one like it.
TEST(Memories, ClassesThatComeOneAfterTheOtherAreNoReasonToForget) {
  Memories memories = Memories::none(half_lives_to_try(std::nullopt, remembered), remembered, 2);
  for (std::uint64_t n = 0; n < 12; ++n) {
    const DrawnBlock block = drawn_with(slopes_from(1), n);
    Matrix coded = Matrix::Zero(60, 2);
    coded.col(n < 6 ? 0 : 1).setOnes();
    FeatureSums sums = FeatureSums::none(remembered, 2);
    sums.learn(block.psi, coded, Vector::Ones(60));
    memories.forget(1, 60, 1);
    memories.learn(sums, Weighing::balanced);
  }
  EXPECT_EQ(memories.best(), 0U);
}

}  // namespace
}  // namespace choir::online_kernel
