// What one node tells another: a kind, a round, a few numbers and a few dense arrays.
//
//   Message message(Kind::coefficients);
//   message.on(channel, round).integer(counter).number(norm).array(std::move(coefficients));
//   node.send(neighbor, message);
//
//   const double norm = received.number(0);
//   const Eigen::Map<const Matrix> coefficients = received.array(0).matrix();
//
// Copies share their content. In one process the receiver gets the sender's content itself; between
// processes message_codec.h writes it down, and its size there is what the ledger counts in both cases.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "choir/runtime/array.h"
#include "choir/runtime/kind.h"

namespace choir {

// A conversation between nodes: messages of one never get mixed up with those of another.
using Channel = std::uint32_t;
inline constexpr Channel exchange_channel = 0;  // synchronous rounds
// Marks the channels whose messages arrive whatever links the method declared; see Node::open_channel.
inline constexpr Channel reliable_mark = Channel{1} << 31;
constexpr bool is_reliable(Channel channel) { return (channel & reliable_mark) != 0; }

class Message {
 public:
  static constexpr std::size_t max_header = 6;  // integers, and as many numbers; more belong into an array
  static constexpr std::size_t max_arrays = 255;

  explicit Message(Kind kind) : kind_(kind) {}

  // Append; content that another copy shares is copied first. Throw Error(InvalidArgument) beyond the limits.
  Message& integer(std::int64_t value);
  Message& number(double value);
  Message& array(Array value);

  Kind kind() const { return kind_; }
  // The same content as a message of another kind: a sum that has become a total.
  Message as(Kind kind) const {
    Message other = *this;
    other.kind_ = kind;
    return other;
  }
  Channel channel() const { return channel_; }
  std::uint64_t round() const { return round_; }  // of an exchange; otherwise the program's own
  Message& on(Channel channel, std::uint64_t round) {
    channel_ = channel;
    round_ = round;
    return *this;
  }

  std::span<const std::int64_t> integers() const;
  std::span<const double> numbers() const;
  std::span<const Array> arrays() const;
  // One of them; throw Error(BadData) if there are fewer: the message came from a neighbour.
  std::int64_t integer(std::size_t index) const;
  double number(std::size_t index) const;
  const Array& array(std::size_t index) const;

 private:
  struct Content {
    std::array<std::int64_t, max_header> integers;
    std::array<double, max_header> numbers;
    std::uint8_t integer_count = 0;
    std::uint8_t number_count = 0;
    std::vector<Array> arrays;
  };
  Content& own();

  std::shared_ptr<Content> content_;  // null: empty
  std::uint64_t round_ = 0;
  Channel channel_ = exchange_channel;
  Kind kind_;
};

}  // namespace choir
