// Any bytes either are a message, whose arrays can be read and which writes the same bytes again, or are
// refused as bad data.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "choir/base/error.h"
#include "choir/runtime/message_codec.h"

namespace {

using namespace choir;

// Touches every byte an array claims to have.
void read(const Array& array) {
  const auto* bytes = static_cast<const unsigned char*>(array.data());
  volatile unsigned sum = 0;
  for (std::size_t i = 0; i < array.bytes(); ++i) sum = sum + bytes[i];
}

void use(const Message& message, const ByteBuffer& bytes, std::size_t offset) {
  for (const Array& array : message.arrays()) read(array);
  ByteBuffer again;
  encode(message, again);
  if (again.size() != encoded_size(message) || again.size() != bytes.size() - offset) std::abort();
  if (std::memcmp(again.data(), bytes.data() + offset, again.size()) != 0) std::abort();
}

void try_message(const std::shared_ptr<const ByteBuffer>& bytes, std::size_t offset) {
  try {
    use(decode(bytes, offset, bytes->size() - offset), *bytes, offset);
  } catch (const Error& error) {
    if (error.category() != ErrorCategory::BadData) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto* begin = reinterpret_cast<const std::byte*>(data);
  const auto bytes = std::make_shared<const ByteBuffer>(begin, begin + size);
  try_message(bytes, 0);
  if (size >= 8) try_message(bytes, 8);  // as the second of a batch
  return 0;
}
