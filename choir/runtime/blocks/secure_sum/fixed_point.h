// Numbers as 64-bit words that are added modulo 2^64: the arithmetic in which masks cancel exactly.
//
//   const FixedPoint format = FixedPoint::for_sums_up_to(bound * samples);
//   format.encode(answer, largest, words);                   // each device
//   const Matrix sum = format.decode(total, rows, cols);     // of the words' sum
//
//   const AnswerFormat both = AnswerFormat::of_two_words(format, devices);   // the same, words twice as many
//
// A number x becomes the integer nearest to x 2^e (ties to even), in two's complement. With sums up to the
// given limit a total stays below 2^62, and rounding and slack below 2^63: it cannot wrap round.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "choir/linalg/types.h"

namespace choir {

class FixedPoint {
 public:
  // The finest one in which totals up to the limit fit. Throws Error(InvalidArgument) unless 0 <= limit <
  // infinity.
  static FixedPoint for_sums_up_to(double limit);
  explicit FixedPoint(int exponent) : exponent_(exponent) {}

  int exponent() const { return exponent_; }
  // Column by column. No entry may be larger than the limit, up to a slack for its own rounding of 1e-9.
  // Throws Error(InvalidArgument) that names the entry which is, or which is no number, and for a limit that
  // this format has no room for.
  void encode(const Matrix& values, double limit, std::span<std::int64_t> words) const;
  Matrix decode(std::span<const std::int64_t> words, Index rows, Index cols) const;
  // No entry of a decoded sum of that many devices is off by more.
  double rounding(Index devices) const;

 private:
  int exponent_;
};

inline constexpr double largest_of_all_doubles = 0x1p1000;  // AnswerFormat::of_all_doubles

// How the entries of an answer become words: one each; or several where nobody knows how much smaller than
// the largest an entry may be, a coarse word and finer ones for what those before left over. They are added
// apart, so there is nothing to carry.
class AnswerFormat {
 public:
  static AnswerFormat of_one_word(FixedPoint format) { return AnswerFormat({format}); }
  // With the finest words for what the coarser ones of so many devices leave.
  static AnswerFormat of_words(Index count, FixedPoint coarse, Index devices);
  static AnswerFormat of_two_words(FixedPoint coarse, Index devices) { return of_words(2, coarse, devices); }
  // With as many words as any double below 2^1000 needs: where nothing is known about an entry.
  static AnswerFormat of_all_doubles(Index devices);

  Index words(Index entries) const { return std::ssize(formats_) * entries; }
  // As FixedPoint does, the coarse words of all entries before the finer ones.
  void encode(const Matrix& values, double limit, std::span<std::int64_t> words) const;
  Matrix decode(std::span<const std::int64_t> words, Index rows, Index cols) const;
  // Beyond that an entry of several words is off by the last place of a double.
  double rounding(Index devices) const { return formats_.back().rounding(devices); }

 private:
  explicit AnswerFormat(std::vector<FixedPoint> formats) : formats_(std::move(formats)) {}

  std::vector<FixedPoint> formats_;  // from coarse to fine
};

// The smallest e for which all entries are below 2^e. Throws Error(InvalidArgument) for entries that are no
// numbers.
int power_of_two_above(const Matrix& values);

}  // namespace choir
