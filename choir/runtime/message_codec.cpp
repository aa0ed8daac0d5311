#include "choir/runtime/message_codec.h"

#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#include "choir/base/error.h"

namespace choir {
namespace {

static_assert(std::endian::native == std::endian::little, "messages are written as they lie in memory");

constexpr std::uint8_t version = 1;
constexpr std::size_t fixed_size = 24;
constexpr std::size_t array_header_size = 24;

constexpr std::size_t padded(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

struct Fixed {
  char magic[2];
  std::uint8_t version;
  std::uint8_t kind;
  std::uint32_t channel;
  std::uint64_t round;
  std::uint8_t integers;
  std::uint8_t numbers;
  std::uint8_t arrays;
  std::uint8_t zero[5];
};
static_assert(sizeof(Fixed) == fixed_size);

struct ArrayHeader {
  std::uint8_t type;
  std::uint8_t zero[7];
  std::uint64_t rows;
  std::uint64_t columns;
};
static_assert(sizeof(ArrayHeader) == array_header_size);

[[noreturn]] void refuse(const char* what) { fail(ErrorCategory::BadData, "a message is damaged: {}", what); }

class Writer {
 public:
  explicit Writer(std::byte* to) : to_(to) {}
  void put(const void* from, std::size_t bytes) {
    if (bytes > 0) std::memcpy(to_, from, bytes);
    to_ += bytes;
  }
  void pad(std::size_t bytes) {
    std::memset(to_, 0, bytes);
    to_ += bytes;
  }

 private:
  std::byte* to_;
};

class Reader {
 public:
  Reader(const std::byte* from, std::size_t bytes) : from_(from), left_(bytes) {}

  const std::byte* skip(std::size_t bytes, const char* what) {
    if (bytes > left_) refuse(what);
    left_ -= bytes;
    return std::exchange(from_, from_ + bytes);
  }
  template <class T>
  T get(const char* what) {
    T value;
    std::memcpy(&value, skip(sizeof(T), what), sizeof(T));
    return value;
  }
  std::size_t left() const { return left_; }

 private:
  const std::byte* from_;
  std::size_t left_;
};

bool all_zero(const std::byte* bytes, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (bytes[i] != std::byte{0}) return false;
  }
  return true;
}

void check(const Fixed& fixed) {
  if (fixed.magic[0] != 'c' || fixed.magic[1] != 'M') refuse("it does not begin with the magic bytes");
  if (fixed.version != version) {
    fail(ErrorCategory::BadData, "a message has format {}; this choir reads format {}", fixed.version,
         version);
  }
  if (fixed.kind >= kind_count) refuse("its kind is unknown");
  if (fixed.integers > Message::max_header || fixed.numbers > Message::max_header) {
    refuse("its header is too long");
  }
  if (!all_zero(reinterpret_cast<const std::byte*>(fixed.zero), sizeof fixed.zero)) {
    refuse("reserved bytes are not zero");
  }
}

// Bytes of the array's values; the header is checked against what can be there at all.
std::size_t value_bytes(const ArrayHeader& header, std::size_t available) {
  if (header.type > static_cast<std::uint8_t>(ArrayType::bytes)) refuse("an array type is unknown");
  if (!all_zero(reinterpret_cast<const std::byte*>(header.zero), sizeof header.zero)) {
    refuse("reserved bytes are not zero");
  }
  // Also of an array without values, whose extents the bytes do not bound; a product of two fits an Index.
  constexpr std::uint64_t largest = std::numeric_limits<std::int32_t>::max();
  if (header.rows > largest || header.columns > largest) refuse("an array is too large");
  const std::size_t most = available / size_of(static_cast<ArrayType>(header.type));
  if (header.columns != 0 && header.rows > most / header.columns)
    refuse("an array is longer than the message");
  return static_cast<std::size_t>(header.rows * header.columns) *
         size_of(static_cast<ArrayType>(header.type));
}

}  // namespace

std::size_t encoded_size(const Message& message) {
  std::size_t size = fixed_size + 8 * (message.integers().size() + message.numbers().size());
  for (const Array& array : message.arrays()) size += array_header_size + padded(array.bytes());
  return size;
}

void encode(const Message& message, ByteBuffer& out) {
  const std::size_t begin = out.size();
  out.resize(begin + encoded_size(message));
  Writer writer(out.data() + begin);
  const Fixed fixed{.magic = {'c', 'M'},
                    .version = version,
                    .kind = static_cast<std::uint8_t>(message.kind()),
                    .channel = message.channel(),
                    .round = message.round(),
                    .integers = static_cast<std::uint8_t>(message.integers().size()),
                    .numbers = static_cast<std::uint8_t>(message.numbers().size()),
                    .arrays = static_cast<std::uint8_t>(message.arrays().size()),
                    .zero = {}};
  writer.put(&fixed, sizeof fixed);
  writer.put(message.integers().data(), message.integers().size_bytes());
  writer.put(message.numbers().data(), message.numbers().size_bytes());
  for (const Array& array : message.arrays()) {
    const ArrayHeader header{.type = static_cast<std::uint8_t>(array.type()),
                             .zero = {},
                             .rows = static_cast<std::uint64_t>(array.rows()),
                             .columns = static_cast<std::uint64_t>(array.columns())};
    writer.put(&header, sizeof header);
  }
  for (const Array& array : message.arrays()) {
    writer.put(array.data(), array.bytes());
    writer.pad(padded(array.bytes()) - array.bytes());
  }
}

Message decode(const std::shared_ptr<const ByteBuffer>& buffer, std::size_t offset, std::size_t size) {
  if (offset % 8 != 0 || offset > buffer->size() || size > buffer->size() - offset) {
    refuse("its place in the buffer is wrong");
  }
  Reader reader(buffer->data() + offset, size);
  const auto fixed = reader.get<Fixed>("it ends within its header");
  check(fixed);
  Message message(static_cast<Kind>(fixed.kind));
  message.on(fixed.channel, fixed.round);
  for (int i = 0; i < fixed.integers; ++i)
    message.integer(reader.get<std::int64_t>("it ends within its integers"));
  for (int i = 0; i < fixed.numbers; ++i) message.number(reader.get<double>("it ends within its numbers"));

  const std::byte* headers = reader.skip(fixed.arrays * array_header_size, "it ends within its arrays");
  for (int i = 0; i < fixed.arrays; ++i) {
    ArrayHeader header;
    std::memcpy(&header, headers + static_cast<std::size_t>(i) * array_header_size, sizeof header);
    const std::size_t bytes = value_bytes(header, reader.left());
    const std::byte* values = reader.skip(padded(bytes), "it ends within an array");
    if (!all_zero(values + bytes, padded(bytes) - bytes)) refuse("reserved bytes are not zero");
    message.array(Array::view(buffer, values, static_cast<ArrayType>(header.type),
                              static_cast<Index>(header.rows), static_cast<Index>(header.columns)));
  }
  if (reader.left() != 0) refuse("it continues after its end");
  return message;
}

}  // namespace choir
