#include "choir/linalg/low_rank.h"

#include <limits>

#include "linalg/matrices.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/error.h"
#include "choir/linalg/eigen.h"

namespace choir {
namespace {

using ::testing::HasSubstr;

Matrix dense(const LowRank& part) { return part.U * part.L.asDiagonal() * part.U.transpose(); }

LowRank random_part(Index rows, const Vector& weights, std::uint64_t seed) {
  return {.U = testing::random_orthonormal(rows, weights.size(), seed), .L = weights};
}

TEST(LowRankMerge, EqualsTheDenseEigendecompositionOfTheSum) {
  Vector strong(6), weak(6);
  strong << 9, 7, 5, 1e-3, 1e-4, 1e-5;
  weak << 8, 6, 1e-3, 1e-4, 1e-5, 1e-6;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const LowRank a = random_part(80, strong, 10 * seed), b = random_part(80, weak, 10 * seed + 1);
    const Matrix extra = testing::random_matrix(80, 1, 10 * seed + 2);
    const auto truth = eigen_symmetric<double>(dense(a) + dense(b) + extra * extra.transpose());
    const LowRank sum = merge_low_rank(a, b, extra, {.rank = 6});  // the gap: six large terms, then 1e-3
    ASSERT_EQ(sum.L.size(), 6);
    const Matrix top = truth.vectors.leftCols(6);
    EXPECT_LT((sum.U * sum.U.transpose() - top * top.transpose()).cwiseAbs().maxCoeff(), 1e-8);
    EXPECT_LT((sum.L - truth.values.head(6)).cwiseAbs().maxCoeff(), 1e-12 * truth.values[0]);
    EXPECT_LT((sum.U - top).cwiseAbs().maxCoeff(), 1e-8);  // signs follow the same rule
  }
}

TEST(LowRankMerge, ConservesTheTraceAndTheSumWhenNothingIsCut) {
  const LowRank a = random_part(50, testing::power_law(7, 1.5), 1),
                b = random_part(50, testing::power_law(9, 0.5), 2);
  const LowRank sum = merge_low_rank(a, b);
  EXPECT_EQ(sum.L.size(), 16);
  EXPECT_NEAR(sum.L.sum(), a.L.sum() + b.L.sum(), 1e-13);
  EXPECT_LT((dense(sum) - dense(a) - dense(b)).cwiseAbs().maxCoeff(), 1e-13);
}

TEST(LowRankMerge, StaysOrthonormalWhenWeightsSpanManyOrders) {
  for (const double smallest : {1e-3, 1e-6, 1e-10, 1e-13}) {
    Vector weights(12);
    for (Index k = 0; k < 12; ++k) weights[k] = std::pow(smallest, static_cast<double>(k) / 11);
    const LowRank a = random_part(200, weights, 3), b = random_part(200, weights, 4);
    const LowRank sum = merge_low_rank(a, b);
    EXPECT_LT(testing::orthonormality_error(sum.U), 1e-10) << smallest;
    EXPECT_LT((dense(sum) - dense(a) - dense(b)).cwiseAbs().maxCoeff(), 1e-13) << smallest;
  }
}

TEST(LowRankMerge, AThousandMergesDoNotDrift) {
  const Vector weights = testing::power_law(8, 3);
  LowRank sum = random_part(40, weights, 5);
  Matrix truth = dense(sum);
  for (std::uint64_t k = 0; k < 1000; ++k) {
    const LowRank part = random_part(40, weights, 100 + k % 7);
    sum = merge_low_rank(sum, part, {.rank = 40});
    truth += dense(part);
  }
  EXPECT_LT((dense(sum) - truth).norm(), 1e-11 * truth.norm());
  EXPECT_LT(testing::orthonormality_error(sum.U), 1e-10);
}

TEST(LowRankMerge, FindsTheTrueRank) {
  const LowRank a = random_part(30, testing::power_law(5, 1), 6);
  EXPECT_EQ(merge_low_rank(a, a).L.size(), 5);  // the same space twice
  EXPECT_LT((merge_low_rank(a, a).L - 2 * a.L).cwiseAbs().maxCoeff(), 1e-14);
  const LowRank full = random_part(4, Vector::Ones(4), 7);
  EXPECT_EQ(merge_low_rank(full, full, testing::random_matrix(4, 3, 8)).L.size(), 4);  // never above D
}

TEST(LowRankMerge, TakesEmptyAndZeroTerms) {
  const LowRank nothing{.U = Matrix(6, 0), .L = Vector(0)};
  const LowRank zero = random_part(6, Vector::Zero(2), 9);
  const LowRank a = random_part(6, testing::power_law(2, 1), 10);
  EXPECT_EQ(merge_low_rank(nothing, nothing).L.size(), 0);
  EXPECT_EQ(merge_low_rank(nothing, nothing).U.rows(), 6);
  EXPECT_EQ(merge_low_rank(zero, nothing).L.size(), 0);
  EXPECT_EQ(merge_low_rank(a, zero, {.rank = 0}).L.size(), 0);
  EXPECT_LT((dense(merge_low_rank(nothing, a)) - dense(a)).cwiseAbs().maxCoeff(), 1e-15);
}

std::string message_of(ErrorCategory category, const LowRank& a, const LowRank& b,
                       const LowRankOptions& options = {}) {
  try {
    merge_low_rank(a, b, options);
  } catch (const Error& error) {
    EXPECT_EQ(error.category(), category);
    return error.what();
  }
  return "no error";
}

TEST(LowRankMerge, RefusesWhatIsNoSum) {
  const LowRank a = random_part(6, Vector::Ones(2), 11), b = random_part(7, Vector::Ones(2), 12);
  LowRank negative = a, unequal = a, bad = a;
  negative.L[1] = -1e-3;
  unequal.L.resize(1);
  unequal.L[0] = 1;
  bad.U(3, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(message_of(ErrorCategory::InvalidArgument, a, b), HasSubstr("6, 7 and 6 rows"));
  EXPECT_THAT(message_of(ErrorCategory::InvalidArgument, a, negative), HasSubstr("negative weight"));
  EXPECT_THAT(message_of(ErrorCategory::InvalidArgument, unequal, a),
              HasSubstr("2 directions but 1 weights"));
  EXPECT_THAT(message_of(ErrorCategory::InvalidArgument, a, a, {.rank = -1}),
              HasSubstr("cannot be negative"));
  EXPECT_THAT(message_of(ErrorCategory::Numerical, a, bad), HasSubstr("NaN"));
}

}  // namespace
}  // namespace choir
