#include "choir/learn/federation/envelope.h"

#include <bit>
#include <cmath>
#include <utility>

#include "choir/base/error.h"
#include "choir/runtime/blocks/secure_sum/words.h"

namespace choir {
namespace {

constexpr Index fixed_words = 6;
constexpr Index bits_in_word = 64;
constexpr std::int64_t most_exponent = 1200;  // doubles end at 2^-1074, and totals of zeros take 1100

// Devices as a set of bits: a hundred of them in two words.
Words words_with(const Envelope& envelope) {
  const Index sets = envelope.devices.empty() ? 0 : envelope.devices.back() / bits_in_word + 1;
  Words words = Words::Zero(fixed_words + sets, 1);
  words.col(0).head(fixed_words) << static_cast<std::int64_t>(envelope.note),
      static_cast<std::int64_t>(envelope.question), envelope.rows, envelope.cols,
      std::bit_cast<std::int64_t>(envelope.bound), envelope.exponent;
  for (const NodeId device : envelope.devices) {
    const std::uint64_t bit = std::uint64_t{1} << (device % bits_in_word);
    words(fixed_words + device / bits_in_word) |= std::bit_cast<std::int64_t>(bit);
  }
  return words;
}

std::vector<NodeId> devices_in(const WordsView& words) {
  std::vector<NodeId> devices;
  for (Index set = fixed_words; set < words.size(); ++set) {
    for (auto bits = std::bit_cast<std::uint64_t>(words(set)); bits != 0; bits &= bits - 1) {
      devices.push_back(static_cast<NodeId>((set - fixed_words) * bits_in_word + std::countr_zero(bits)));
    }
  }
  return devices;
}

bool is_within(std::int64_t value, std::int64_t least, std::int64_t most) {
  return value >= least && value <= most;
}

// Sizes are for memory, and exponents for shifts: nothing of that may be whatever a sender likes.
void require_possible(const WordsView& words) {
  const double bound = std::bit_cast<double>(words(4));
  const bool possible = words.cols() == 1 && is_within(words(0), 0, static_cast<std::int64_t>(Note::close)) &&
                        is_within(words(2), 0, most_numbers) && is_within(words(3), 0, most_numbers) &&
                        (words(2) == 0 || words(3) <= most_numbers / words(2)) && std::isfinite(bound) &&
                        is_within(words(5), -most_exponent, most_exponent);
  if (possible) return;
  fail(ErrorCategory::BadData,
       "a message of a federation asks for what cannot be: note {}, {} x {} numbers up to {}, exponent {}; "
       "check that all nodes run the same choir",
       words(0), words(2), words(3), bound, words(5));
}

Message without_last_array(const Message& message) {
  Message content(message.kind());
  for (const std::int64_t value : message.integers()) content.integer(value);
  for (const double value : message.numbers()) content.number(value);
  for (const Array& array : message.arrays().first(message.arrays().size() - 1)) content.array(array);
  return content;
}

}  // namespace

AnswerFormat format_of(const Envelope& envelope) {
  const FixedPoint format(envelope.exponent);
  return envelope.bound >= 0 ? AnswerFormat::of_one_word(format)
                             : AnswerFormat::of_two_words(format, std::ssize(envelope.devices));
}

Message sealed(Message content, const Envelope& envelope, Channel channel, std::uint64_t number) {
  content.array(Array(words_with(envelope))).on(channel, number);
  return content;
}

Letter opened(const Message& message) {
  const std::span<const Array> arrays = message.arrays();
  if (arrays.empty() || arrays.back().type() != ArrayType::int64 || arrays.back().rows() < fixed_words ||
      arrays.back().columns() != 1) {
    throw Error(
        ErrorCategory::BadData,
        "a message of a federation does not say what it is for; check that all nodes run the same choir");
  }
  const WordsView words = arrays.back().integers();
  require_possible(words);
  Envelope envelope{.note = static_cast<Note>(words(0)),
                    .question = static_cast<std::uint64_t>(words(1)),
                    .rows = words(2),
                    .cols = words(3),
                    .bound = std::bit_cast<double>(words(4)),
                    .exponent = static_cast<int>(words(5)),
                    .devices = devices_in(words)};
  return {std::move(envelope), without_last_array(message), message.round()};
}

}  // namespace choir
