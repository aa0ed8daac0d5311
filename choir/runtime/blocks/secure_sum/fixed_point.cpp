#include "choir/runtime/blocks/secure_sum/fixed_point.h"

#include <cmath>
#include <limits>

#include "choir/base/error.h"

namespace choir {
namespace {

constexpr int total_bits = 62;       // of 63: one is left for rounding and slack
constexpr double slack = 1e-9;       // an entry of exactly the bound may have been rounded up
constexpr int most_exponent = 1100;  // a limit of 0, or nearly; every double is a multiple of 2^-1074

// The largest part of a number that its word leaves over.
double half_a_step(const FixedPoint& format) { return std::ldexp(0.5, -format.exponent()); }

}  // namespace

FixedPoint FixedPoint::for_sums_up_to(double limit) {
  if (!(limit >= 0) || !std::isfinite(limit)) {
    fail(ErrorCategory::InvalidArgument, "the bound of a sum is {}; it must be finite and non-negative",
         limit);
  }
  if (limit == 0) return FixedPoint(most_exponent);
  int power = 0;
  std::frexp(limit, &power);  // limit < 2^power
  return FixedPoint(std::min(total_bits - power, most_exponent));
}

void FixedPoint::encode(const Matrix& values, double limit, std::span<std::int64_t> words) const {
  if (!(std::ldexp(limit, exponent_) <= std::ldexp(1.0, total_bits))) {
    fail(ErrorCategory::InvalidArgument,
         "numbers up to {} do not fit into words of 64 bits as multiples of 2^{}; the bound and the scale of "
         "a question do not match",
         limit, -exponent_);
  }
  std::size_t next = 0;
  for (Index column = 0; column < values.cols(); ++column) {
    for (Index row = 0; row < values.rows(); ++row) {
      const double value = values(row, column);
      if (!(std::abs(value) <= limit * (1 + slack))) {
        fail(ErrorCategory::InvalidArgument,
             "entry ({}, {}) of an answer is {}, above the agreed bound of {}; raise the bound of the "
             "question",
             row, column, value, limit);
      }
      words[next++] = std::llrint(std::ldexp(value, exponent_));
    }
  }
}

Matrix FixedPoint::decode(std::span<const std::int64_t> words, Index rows, Index cols) const {
  Matrix values(rows, cols);
  for (Index i = 0; i < values.size(); ++i) {
    values.data()[i] = std::ldexp(static_cast<double>(words[static_cast<std::size_t>(i)]), -exponent_);
  }
  return values;
}

// Half a step each, and half of the last place of a double below 2^63 for the total.
double FixedPoint::rounding(Index devices) const {
  constexpr double of_total = 512;
  return std::ldexp(0.5 * static_cast<double>(devices) + of_total, -exponent_);
}

AnswerFormat AnswerFormat::of_words(Index count, FixedPoint coarse, Index devices) {
  std::vector<FixedPoint> formats = {coarse};
  while (std::ssize(formats) < count) {
    const double left = static_cast<double>(devices) * half_a_step(formats.back());
    formats.push_back(FixedPoint::for_sums_up_to(left));
  }
  return AnswerFormat(std::move(formats));
}

AnswerFormat AnswerFormat::of_all_doubles(Index devices) {
  constexpr int last_place = 1074;
  std::vector<FixedPoint> formats = {
      FixedPoint::for_sums_up_to(static_cast<double>(devices) * largest_of_all_doubles)};
  while (formats.back().exponent() < last_place) {
    const double left = static_cast<double>(devices) * half_a_step(formats.back());
    formats.push_back(FixedPoint::for_sums_up_to(left));
  }
  return AnswerFormat(std::move(formats));
}

// What is left over is exact: a number that has digits below a step has a coarse word of less than 53 bits.
void AnswerFormat::encode(const Matrix& values, double limit, std::span<std::int64_t> words) const {
  const auto entries = static_cast<std::size_t>(values.size());
  Matrix left = values;
  for (const FixedPoint& format : formats_) {
    const std::span<std::int64_t> these = words.first(entries);
    format.encode(left, limit, these);
    left -= format.decode(these, values.rows(), values.cols());
    limit = half_a_step(format);
    words = words.subspan(entries);
  }
}

Matrix AnswerFormat::decode(std::span<const std::int64_t> words, Index rows, Index cols) const {
  const auto entries = static_cast<std::size_t>(rows * cols);
  Matrix values = Matrix::Zero(rows, cols);
  for (const FixedPoint& format : formats_) {
    values += format.decode(words.first(entries), rows, cols);
    words = words.subspan(entries);
  }
  return values;
}

int power_of_two_above(const Matrix& values) {
  if (!values.allFinite()) {
    throw Error(ErrorCategory::InvalidArgument, "an answer has entries that are not finite numbers");
  }
  const double largest = values.size() > 0 ? values.cwiseAbs().maxCoeff() : 0.0;
  if (largest == 0) return std::numeric_limits<double>::min_exponent;
  int power = 0;
  std::frexp(largest, &power);
  return power;
}

}  // namespace choir
