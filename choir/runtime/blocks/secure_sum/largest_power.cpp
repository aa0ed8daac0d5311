#include "choir/runtime/blocks/secure_sum/largest_power.h"

#include <algorithm>
#include <cmath>

#include "choir/base/error.h"
#include "choir/crypto/secret.h"

namespace choir {
namespace {

// Doubles lie below 2^-1020, 2^-1016, ..., 2^1024: three digits.
constexpr int lowest_power = -1020;
constexpr int powers_in_a_step = 4;
constexpr int digits = 3;
constexpr int bits_in_a_digit = 3;
constexpr Index base = Index{1} << bits_in_a_digit;
constexpr Index marks_in_a_row = base - 1;  // of the digits 1, 2, ...

Index step_above(int power) {
  const int above = std::max(0, power - lowest_power);
  return (above + powers_in_a_step - 1) / powers_in_a_step;
}

}  // namespace

LargestPower::LargestPower(const std::vector<int>& powers) : found_(powers.size(), 0), digits_left_(digits) {
  for (const int power : powers) own_.push_back(step_above(power));
}

Index LargestPower::own_digit(std::size_t row) const {
  const Index highest = own_[row] >> (bits_in_a_digit * (digits_left_ - 1));
  return highest - found_[row] * base;  // below 0 if others are ahead
}

Words LargestPower::marks() const {
  Words marks = Words::Zero(marks_in_a_row * std::ssize(own_), 1);
  for (std::size_t row = 0; row < own_.size(); ++row) {
    const Index count = std::max(Index{0}, own_digit(row));
    const Secret random = Secret::random(static_cast<std::size_t>(count) * sizeof(std::int64_t));
    marks.middleRows(static_cast<Index>(row) * marks_in_a_row, count) = words_of(random.bytes());
  }
  return marks;
}

Words digits_of(const WordsView& marks) {
  Words found(marks.size() / marks_in_a_row, 1);
  for (Index row = 0; row < found.size(); ++row)
    found(row) = (marks.middleRows(row * marks_in_a_row, marks_in_a_row).array() != 0).count();
  return found;
}

void LargestPower::learn(const WordsView& digits) {
  if (digits.size() != std::ssize(own_)) {
    fail(ErrorCategory::BadData, "{} powers of two arrived where {} were expected", digits.size(),
         own_.size());
  }
  for (std::size_t row = 0; row < own_.size(); ++row) {
    const std::int64_t digit = digits(static_cast<Index>(row));
    if (digit < std::max(Index{0}, own_digit(row)) || digit >= base) {
      throw Error(
          ErrorCategory::BadData,
          "the power of two above all nodes' numbers that was told is not above this node's; a node on "
          "the way lies about it, or is broken");
    }
    found_[row] = found_[row] * base + digit;
  }
  --digits_left_;
}

std::vector<double> LargestPower::limits() const {
  std::vector<double> limits;
  for (const Index steps : found_)
    limits.push_back(std::ldexp(1.0, lowest_power + powers_in_a_step * static_cast<int>(steps)));
  return limits;
}

}  // namespace choir
