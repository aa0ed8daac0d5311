// Any bytes that are a message either are a letter of a federation, which says the same when it is sealed and
// opened again, or are refused as bad data.
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "choir/base/error.h"
#include "choir/learn/federation/envelope.h"
#include "choir/runtime/message_codec.h"

namespace {

using namespace choir;

void require_of_letter(bool truth) {
  if (!truth) std::abort();
}

void expect_same_letter(const Letter& a, const Letter& b) {
  const Envelope& one = a.envelope;
  const Envelope& other = b.envelope;
  require_of_letter(one.note == other.note && one.question == other.question && one.rows == other.rows &&
                    one.cols == other.cols && one.exponent == other.exponent &&
                    one.devices == other.devices &&
                    std::bit_cast<std::uint64_t>(one.bound) == std::bit_cast<std::uint64_t>(other.bound));
  require_of_letter(a.number == b.number && encoded_size(a.content) == encoded_size(b.content));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto* begin = reinterpret_cast<const std::byte*>(data);
  const auto bytes = std::make_shared<const ByteBuffer>(begin, begin + size);
  try {
    const Message message = decode(bytes, 0, size);
    const Letter letter = opened(message);
    expect_same_letter(letter,
                       opened(sealed(letter.content, letter.envelope, message.channel(), letter.number)));
  } catch (const Error& error) {
    require_of_letter(error.category() == ErrorCategory::BadData);
  }
  return 0;
}
