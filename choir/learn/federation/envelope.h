// What a message between the server and a device is for. It travels as one more array behind the message's
// own content, so that the content stays as the method wrote it.
//
//   node.send(device, sealed(question, {.note = Note::question, .rows = 3, .cols = 2}, channel, sequence));
//   const Letter letter = opened(received);      // letter.content is the question again
#pragma once

#include <cstdint>
#include <vector>

#include "choir/linalg/types.h"
#include "choir/runtime/blocks/secure_sum/fixed_point.h"
#include "choir/runtime/message.h"

namespace choir {

enum class Note : std::int64_t {
  // from a device
  hello,      // its public key, if sums are masked
  answer,     // to a question: the sums and the number of samples, as numbers or as masked words
  magnitude,  // to a question without a bound: the power of two above its largest entry
  signature,  // of those whose answers the server has
  seeds,      // of the masks that it shares with silent devices
  own_seed,
  shares,  // of lost devices' own seeds
  published,
  refusal,
  // from the server
  directory,  // everybody's public key
  count,      // how many samples are there?
  question,
  attempt,    // the answer to the last question, masked (again)
  survivors,  // whose answers the server has: to be signed
  unmask,     // what they have signed, to be checked before any seed is revealed
  reveal,     // their own seeds
  lost,       // sealed shares of those that did not
  request,    // for something to publish
  statement,
  close,
};

struct Envelope {
  Note note = Note::statement;
  std::uint64_t question = 0;  // the number of the question that an attempt is for
  Index rows = 0;              // of the answer
  Index cols = 0;
  double bound = 0;                  // of its entries, for each sample; negative: unknown
  int exponent = 0;                  // of the fixed point, of the coarse words if there is no bound
  std::vector<NodeId> devices = {};  // who was asked, or whose answers there are; ascending
};

// Numbers of an answer, at most: 16 GiB.
inline constexpr Index most_numbers = Index{1} << 31;

// How an answer to that question or attempt is put into words, at the device and at the server.
AnswerFormat format_of(const Envelope& envelope);

struct Letter {
  Envelope envelope;
  Message content;
  std::uint64_t number = 0;  // of the request that it belongs to
};

Message sealed(Message content, const Envelope& envelope, Channel channel, std::uint64_t number);
// Throws Error(BadData) if there is no envelope around it, or one with numbers that cannot be.
Letter opened(const Message& message);

}  // namespace choir
