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
#include <optional>
#include <span>

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

// How the entries of an answer become words: one each; or two where nobody knows how much smaller than the
// largest an entry may be, a coarse word and a fine one for what the coarse one left over. The two are added
// apart, so there is nothing to carry.
class AnswerFormat {
 public:
  static AnswerFormat of_one_word(FixedPoint format) { return AnswerFormat(format, {}); }
  // With the finest word for what the coarse ones of so many devices leave.
  static AnswerFormat of_two_words(FixedPoint coarse, Index devices);

  Index words(Index entries) const { return fine_ ? 2 * entries : entries; }
  // As FixedPoint does, the coarse words of all entries before the fine ones.
  void encode(const Matrix& values, double limit, std::span<std::int64_t> words) const;
  Matrix decode(std::span<const std::int64_t> words, Index rows, Index cols) const;
  // Beyond that an entry of two words is off by the last place of a double.
  double rounding(Index devices) const { return (fine_ ? *fine_ : coarse_).rounding(devices); }

 private:
  AnswerFormat(FixedPoint coarse, std::optional<FixedPoint> fine) : coarse_(coarse), fine_(fine) {}

  FixedPoint coarse_;
  std::optional<FixedPoint> fine_;
};

// The smallest e for which all entries are below 2^e. Throws Error(InvalidArgument) for entries that are no
// numbers.
int power_of_two_above(const Matrix& values);

}  // namespace choir
