#include "choir/runtime/blocks/secure_sum/fixed_point.h"

#include <cmath>
#include <limits>
#include <vector>

#include "graph/expect_error.h"
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "choir/base/rng.h"
#include "choir/runtime/blocks/secure_sum/pair_masks.h"

namespace choir {
namespace {

using testing::expect_error;
using Numbers = std::vector<std::int64_t>;

Numbers encoded(const FixedPoint& format, const Matrix& values, double limit) {
  Numbers words(static_cast<std::size_t>(values.size()));
  format.encode(values, limit, words);
  return words;
}

Matrix row(std::initializer_list<double> values) {
  Matrix matrix(1, static_cast<Index>(values.size()));
  std::ranges::copy(values, matrix.data());
  return matrix;
}

TEST(FixedPoint, IsTheFinestInWhichTotalsFit) {
  EXPECT_EQ(FixedPoint::for_sums_up_to(1.5).exponent(), 61);
  EXPECT_EQ(FixedPoint::for_sums_up_to(1000).exponent(), 52);
  EXPECT_EQ(FixedPoint::for_sums_up_to(std::ldexp(1.5, 100)).exponent(), -39);
  EXPECT_EQ(FixedPoint::for_sums_up_to(std::ldexp(1.5, -100)).exponent(), 161);
  for (const double limit : {-1.0, std::numeric_limits<double>::infinity(), std::nan("")}) {
    expect_error(ErrorCategory::InvalidArgument, {"must be finite"},
                 [&] { FixedPoint::for_sums_up_to(limit); });
  }
}

TEST(FixedPoint, RoundsToTheNearestAndTiesToEven) {
  const FixedPoint quarters(2);
  EXPECT_EQ(encoded(quarters, row({0, 1, -1, 0.3, -0.3, 0.125, 0.375, -0.125}), 1),
            (Numbers{0, 4, -4, 1, -1, 0, 2, 0}));
  EXPECT_EQ(quarters.decode(Numbers{3, -1}, 2, 1), (Matrix(2, 1) << 0.75, -0.25).finished());
}

TEST(FixedPoint, NamesTheEntryThatIsBeyondTheBound) {
  const FixedPoint format = FixedPoint::for_sums_up_to(10);
  Matrix values = Matrix::Zero(3, 2);
  for (const double wrong : {3.1, -3.1, std::nan(""), std::numeric_limits<double>::infinity()}) {
    values(2, 1) = wrong;
    expect_error(ErrorCategory::InvalidArgument, {"entry (2, 1) of an answer", "above the agreed bound of 3"},
                 [&] { encoded(format, values, 3); });
  }
  values(2, 1) = 3 * (1 + 1e-15);  // rounded by whoever computed it
  EXPECT_NO_THROW(encoded(format, values, 3));
}

TEST(FixedPoint, RefusesNumbersThatItHasNoRoomFor) {
  EXPECT_EQ(encoded(FixedPoint(61), row({2}), 2), Numbers{std::int64_t{1} << 62});
  expect_error(ErrorCategory::InvalidArgument, {"numbers up to 2.1 do not fit"},
               [] { encoded(FixedPoint(61), row({1}), 2.1); });
}

// The truth is summed in long double, whose 64 bits hold more than the fixed point does.
TEST(FixedPoint, GivesSumsOfManyBackToWhatItSays) {
  EXPECT_TRUE(rc::check("decoded sums are those of the numbers, within rounding()", [] {
    const auto devices = *rc::gen::inRange<Index>(1, 200);
    const auto power = *rc::gen::inRange(-300, 300);
    const double bound = std::ldexp(*rc::gen::inRange(1, 1000), power);
    Rng rng(*rc::gen::arbitrary<std::uint64_t>(), Purpose("fixed-point"));
    const double limit = bound * static_cast<double>(devices);
    const FixedPoint format = FixedPoint::for_sums_up_to(limit);
    long double truth = 0;
    Numbers total(1, 0);
    for (Index i = 0; i < devices; ++i) {
      const double value = i % 5 == 0 ? bound : rng.uniform(-bound, bound);
      truth += value;
      add_words(total, encoded(format, row({value}), bound));
    }
    const double sum = format.decode(total, 1, 1)(0, 0);
    RC_ASSERT(std::abs(static_cast<double>(sum - truth)) <= format.rounding(devices));
    RC_ASSERT(format.rounding(devices) <= 1e-15 * limit);
  }));
}

TEST(FixedPoint, DoesNotWrapRoundWhenAllAreAtTheirBound) {
  for (const double sign : {1.0, -1.0}) {
    const Index devices = 1000;
    const FixedPoint format = FixedPoint::for_sums_up_to(devices * 0.7);
    Numbers total(1, 0);
    for (Index i = 0; i < devices; ++i) add_words(total, encoded(format, row({sign * 0.7}), 0.7));
    EXPECT_NEAR(format.decode(total, 1, 1)(0, 0), sign * 700, format.rounding(devices) + 1e-13);
  }
}

// What devices' answers come to, by way of words.
struct Told {
  Matrix sum;
  double rounding = 0;
};
Told told_sum(const std::vector<Matrix>& answers) {
  double limit = 0;
  for (const Matrix& answer : answers) limit += std::ldexp(1.0, power_of_two_above(answer));
  const auto devices = std::ssize(answers);
  const AnswerFormat format = AnswerFormat::of_two_words(FixedPoint::for_sums_up_to(limit), devices);
  const Matrix& first = answers.front();
  Numbers total(static_cast<std::size_t>(format.words(first.size())), 0);
  for (const Matrix& answer : answers) {
    Numbers words(total.size());
    format.encode(answer, std::ldexp(1.0, power_of_two_above(answer)), words);
    add_words(total, words);
  }
  return {format.decode(total, first.rows(), first.cols()), format.rounding(devices)};
}

double exact_sum(const std::vector<Matrix>& answers, Index entry) {
  __float128 sum = 0;
  for (const Matrix& answer : answers) sum += answer.data()[entry];
  return static_cast<double>(sum);
}

void expect_exact(const std::vector<Matrix>& answers) {
  const Told told = told_sum(answers);
  constexpr double last_place = std::numeric_limits<double>::epsilon();
  for (Index i = 0; i < told.sum.size(); ++i) {
    const double truth = exact_sum(answers, i);
    RC_ASSERT(std::abs(told.sum.data()[i] - truth) <= told.rounding + last_place * std::abs(truth));
  }
}

// Entries of an answer from the largest down to 2^-100 of it; for each a truth in quadruple precision.
TEST(TwoWords, GiveSmallEntriesBackBesideLargeOnes) {
  EXPECT_TRUE(rc::check("sums are exact to rounding() and their last place", [] {
    const auto devices = *rc::gen::inRange<Index>(1, 3000);
    const auto power = *rc::gen::inRange(-900, 1000);
    Rng rng(*rc::gen::arbitrary<std::uint64_t>(), Purpose("two-words"));
    std::vector<Matrix> answers;
    for (Index i = 0; i < devices; ++i) {
      Matrix answer(2, 3);
      for (Index entry = 0; entry < 6; ++entry) {
        answer.data()[entry] = std::ldexp(rng.uniform(-1, 1), power - 20 * static_cast<int>(entry));
      }
      answers.push_back(std::move(answer));
    }
    RC_ASSERT(told_sum(answers).rounding <=
              std::ldexp(4.0 * static_cast<double>(devices * devices), power - 112));
    expect_exact(answers);
  }));
}

// Large parts that cancel leave what the coarse words did not hold.
TEST(TwoWords, GiveWhatIsLeftWhenLargePartsCancel) {
  const Told told = told_sum({row({1e18, 1e18}), row({-1e18, 1e-9}), row({0.375, -1e18})});
  EXPECT_EQ(told.sum(0, 0), 0.375);
  EXPECT_NEAR(told.sum(0, 1), 1e-9, 1e-18);
  EXPECT_LT(told.rounding, 1e-13);
}

TEST(TwoWords, AreExactAtBothEndsOfDoubles) {
  const double least = std::numeric_limits<double>::denorm_min();
  const double most = std::ldexp(1.0, 1010);
  EXPECT_EQ(told_sum({row({least, -3 * least}), row({least, 0})}).sum, row({2 * least, -3 * least}));
  EXPECT_EQ(told_sum(std::vector<Matrix>(4000, row({least}))).sum, row({4000 * least}));
  EXPECT_EQ(told_sum({row({0, 0})}).sum, row({0, 0}));
  EXPECT_EQ(told_sum({row({most, -most}), row({most, least})}).sum, row({2 * most, -most}));
  const double small = std::ldexp(1.0, 910);
  EXPECT_EQ(told_sum({row({most, small}), row({most, small})}).sum, row({2 * most, 2 * small}));
}

TEST(TwoWords, OfOneEntryAreThoseOfTheFixedPointAndOfWhatItLeaves) {
  const AnswerFormat format = AnswerFormat::of_two_words(FixedPoint(2), 1);
  EXPECT_EQ(format.words(3), 6);
  EXPECT_EQ(AnswerFormat::of_one_word(FixedPoint(2)).words(3), 3);
  Numbers words(4);
  format.encode(row({0.3125, -0.25}), 1, words);
  EXPECT_EQ(words, (Numbers{1, -1, std::int64_t{1} << 60, 0}));  // 1/4 and 1/16 in steps of 2^-64
}

TEST(PowerOfTwo, IsAboveTheLargestEntry) {
  EXPECT_EQ(power_of_two_above(row({0.3, -5})), 3);
  EXPECT_EQ(power_of_two_above(row({4})), 3);
  EXPECT_EQ(power_of_two_above(row({1e300, 0})), 997);
  EXPECT_LT(power_of_two_above(Matrix::Zero(2, 2)), -1000);
  EXPECT_LT(power_of_two_above(Matrix(0, 0)), -1000);
  expect_error(ErrorCategory::InvalidArgument, {"not finite numbers"}, [] {
    power_of_two_above(row({1, std::nan("")}));
  });
}

TEST(AnswerFormat, OfAllDoublesKeepsEveryPlaceOfWhateverIsBelowItsLimit) {
  for (const Index devices : {1, 7, 100'000}) {
    const AnswerFormat format = AnswerFormat::of_all_doubles(devices);
    Matrix values(1, 7);
    values << 0, 1.0 / 3, -1e-300, 5e-324, 1e300, -0x1p1000, 123456789.123456789;
    std::vector<std::int64_t> words(static_cast<std::size_t>(format.words(values.size())));
    format.encode(values, largest_of_all_doubles, words);
    EXPECT_EQ(format.decode(words, 1, 7), values) << devices;
    EXPECT_LE(format.words(1), 60);
  }
}

}  // namespace
}  // namespace choir
