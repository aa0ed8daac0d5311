#include "choir/runtime/message_codec.h"

#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>

#include "graph/expect_error.h"
#include "paths.h"
#include <rapidcheck.h>

namespace choir {
namespace {

using testing::expect_error;

ByteBuffer encoded(const Message& message) {
  ByteBuffer bytes;
  encode(message, bytes);
  return bytes;
}

Message decoded(ByteBuffer bytes) {
  const std::size_t size = bytes.size();
  return decode(std::make_shared<const ByteBuffer>(std::move(bytes)), 0, size);
}

template <class Scalar>
Array random_array(Index rows, Index columns) {
  MatrixOf<Scalar> values(rows, columns);
  // Any bits at all, those of NaN included: a codec must not look at values.
  for (Index i = 0; i < values.size(); ++i) {
    const auto bits = *rc::gen::arbitrary<std::uint64_t>();
    std::memcpy(values.data() + i, &bits, sizeof(Scalar));
  }
  return Array(std::move(values));
}

Array random_array() {
  const auto rows = *rc::gen::inRange<Index>(0, 5);
  const auto columns = *rc::gen::inRange<Index>(0, 5);
  switch (*rc::gen::inRange(0, 4)) {
    case 0:
      return random_array<double>(rows, columns);
    case 1:
      return random_array<float>(rows, columns);
    case 2:
      return random_array<std::int64_t>(rows, columns);
    default:
      return Array::of_bytes(
          std::vector<std::byte>(static_cast<std::size_t>(rows * columns), std::byte{0xa5}));
  }
}

Message random_message() {
  Message message(all_kinds[*rc::gen::inRange<std::size_t>(0, kind_count)]);
  message.on(*rc::gen::arbitrary<Channel>(), *rc::gen::arbitrary<std::uint64_t>());
  const auto integers = *rc::gen::inRange(0, 7), numbers = *rc::gen::inRange(0, 7),
             arrays = *rc::gen::inRange(0, 5);
  for (int i = 0; i < integers; ++i) message.integer(*rc::gen::arbitrary<std::int64_t>());
  for (int i = 0; i < numbers; ++i) message.number(*rc::gen::arbitrary<double>());
  for (int i = 0; i < arrays; ++i) message.array(random_array());
  return message;
}

bool same_bytes(const void* a, const void* b, std::size_t bytes) {
  return bytes == 0 || std::memcmp(a, b, bytes) == 0;
}

bool same(const Array& a, const Array& b) {
  return a.type() == b.type() && a.rows() == b.rows() && a.columns() == b.columns() &&
         same_bytes(a.data(), b.data(), a.bytes());
}

bool same(const Message& a, const Message& b) {
  if (a.kind() != b.kind() || a.channel() != b.channel() || a.round() != b.round()) return false;
  if (a.integers().size() != b.integers().size() || a.numbers().size() != b.numbers().size()) return false;
  if (!same_bytes(a.integers().data(), b.integers().data(), a.integers().size_bytes())) return false;
  if (!same_bytes(a.numbers().data(), b.numbers().data(), a.numbers().size_bytes())) return false;
  return std::equal(a.arrays().begin(), a.arrays().end(), b.arrays().begin(), b.arrays().end(),
                    [](const Array& x, const Array& y) { return same(x, y); });
}

// What tests/fixtures/runtime/golden-message-format-1.bin holds; a program of another language wrote it from
// the table in message_codec.h.
Message golden_message() {
  Matrix doubles(2, 3);
  doubles << 1, 3, 5, 2, 4, 6.5;
  MatrixOf<float> floats(3, 1);
  floats << 0.5F, -1.5F, 2;
  MatrixOf<std::int64_t> integers(1, 2);
  integers << -5, 9;
  Message message(Kind::coefficients);
  message.on(7, 12).integer(-1).integer(std::int64_t{1} << 62).number(0.1).number(-0.0);
  message.array(doubles).array(floats).array(integers).array(Matrix(0, 4));
  return message;
}

ByteBuffer golden_bytes() {
  std::ifstream file(fixtures_folder() + "/runtime/golden-message-format-1.bin", std::ios::binary);
  const std::vector<char> chars((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const auto* begin = reinterpret_cast<const std::byte*>(chars.data());
  return {begin, begin + chars.size()};
}

TEST(MessageCodec, WritesFormat1ByteForByte) { EXPECT_EQ(encoded(golden_message()), golden_bytes()); }

TEST(MessageCodec, ReadsFormat1) {
  ASSERT_FALSE(golden_bytes().empty());
  EXPECT_TRUE(same(decoded(golden_bytes()), golden_message()));
}

TEST(MessageCodec, ReadsBackWhateverItWrote) {
  EXPECT_TRUE(rc::check([] {
    const Message message = random_message();
    const ByteBuffer bytes = encoded(message);
    RC_ASSERT(bytes.size() == encoded_size(message));
    RC_ASSERT(bytes.size() % 8 == 0);
    RC_ASSERT(same(decoded(bytes), message));
  }));
}

TEST(MessageCodec, RefusesEveryTruncation) {
  EXPECT_TRUE(rc::check([] {
    const ByteBuffer bytes = encoded(random_message());
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      const ByteBuffer shorter(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
      expect_error(ErrorCategory::BadData, {"damaged"}, [&] { decoded(shorter); });
    }
    RC_ASSERT(!::testing::Test::HasFailure());
  }));
}

TEST(MessageCodec, RefusesWhatGoesOnAfterItsEnd) {
  ByteBuffer bytes = encoded(golden_message());
  bytes.resize(bytes.size() + 8);
  expect_error(ErrorCategory::BadData, {"continues after its end"}, [&] { decoded(bytes); });
}

// Either another message, of which these are the bytes, or bad data; nothing in between.
void expect_canonical_or_refused(const ByteBuffer& bytes) {
  try {
    EXPECT_EQ(encoded(decoded(bytes)), bytes);
  } catch (const Error& error) {
    EXPECT_EQ(error.category(), ErrorCategory::BadData) << error.what();
  }
}

TEST(MessageCodec, EveryFlippedBitGivesAnotherMessageOrIsRefused) {
  EXPECT_TRUE(rc::check([] {
    ByteBuffer bytes = encoded(random_message());
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
      bytes[bit / 8] ^= std::byte(1U << (bit % 8));
      expect_canonical_or_refused(bytes);
      bytes[bit / 8] ^= std::byte(1U << (bit % 8));
    }
    RC_ASSERT(!::testing::Test::HasFailure());
  }));
}

// A message of one array whose header claims any shape, followed by 64 bytes of values.
ByteBuffer claiming(std::uint64_t rows, std::uint64_t columns) {
  Message message(Kind::features);
  message.array(Matrix::Ones(8, 1).eval());
  ByteBuffer bytes = encoded(message);
  std::memcpy(bytes.data() + 32, &rows, sizeof rows);
  std::memcpy(bytes.data() + 40, &columns, sizeof columns);
  return bytes;
}

TEST(MessageCodec, BelievesNoShapeThatTheBytesDoNotFill) {
  constexpr std::uint64_t huge = std::uint64_t{1} << 60;
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  const auto expect_refused = [](std::uint64_t rows, std::uint64_t columns) {
    expect_error(ErrorCategory::BadData, {"array"}, [&] { decoded(claiming(rows, columns)); });
  };
  // Had it allocated what these claim, this would end with bad_alloc, which is no Error(BadData).
  expect_refused(huge, 1);
  expect_refused(1, huge);
  expect_refused(huge, huge);
  expect_refused(huge, 16);         // the product is 2^64: zero in 64 bits
  expect_refused(huge * 2 + 1, 8);  // and here 8
  expect_refused(most, 1);
  expect_refused(most, 0);
  expect_refused(9, 1);
  EXPECT_EQ(decoded(claiming(4, 2)).array(0).columns(), 2);
}

// An array without values takes no bytes, however many rows it claims; who makes a matrix of as many rows
// would.
TEST(MessageCodec, BelievesNoExtentThatAMatrixCouldNotHave) {
  Message message(Kind::features);
  message.array(Matrix(784, 0));
  EXPECT_EQ(decoded(encoded(message)).array(0).rows(), 784);
  for (const std::uint64_t rows : {std::uint64_t{1} << 31, std::uint64_t{1} << 62}) {
    ByteBuffer bytes = encoded(message);
    std::memcpy(bytes.data() + 32, &rows, sizeof rows);
    expect_error(ErrorCategory::BadData, {"array"}, [&] { decoded(std::move(bytes)); });
  }
}

TEST(MessageCodec, TheArraysOfTheResultAreTheBuffersOwnBytes) {
  const auto buffer = std::make_shared<const ByteBuffer>(encoded(golden_message()));
  const Message message = decode(buffer, 0, buffer->size());
  for (const Array& array : message.arrays()) {
    const auto* data = static_cast<const std::byte*>(array.data());
    EXPECT_GE(data, buffer->data());
    EXPECT_LE(data + array.bytes(), buffer->data() + buffer->size());
  }
  EXPECT_GT(buffer.use_count(), 1);
}

TEST(MessageCodec, BytesArePaddedSoThatTheNextArrayIsAligned) {
  Message message(Kind::facts);
  message.array(Array::of_bytes(std::vector<std::byte>(3, std::byte{7}))).array(Matrix::Ones(2, 2).eval());
  EXPECT_EQ(encoded_size(message), 24u + 2 * 24u + 8u + 32u);
  const Message same_message = decoded(encoded(message));
  EXPECT_TRUE(same(same_message, message));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(same_message.array(1).data()) % alignof(double), 0u);
  ByteBuffer bytes = encoded(message);
  bytes[24 + 2 * 24 + 3] = std::byte{1};
  expect_error(ErrorCategory::BadData, {"reserved bytes"}, [&] { decoded(bytes); });
}

TEST(MessageCodec, ArraysOutliveTheBuffersHolder) {
  auto buffer = std::make_shared<const ByteBuffer>(encoded(golden_message()));
  const Message message = decode(buffer, 0, buffer->size());
  buffer.reset();
  EXPECT_TRUE(same(message, golden_message()));
}

TEST(MessageCodec, SeveralMessagesLieInOneBuffer) {
  const Message first = golden_message();
  Message second(Kind::control);
  second.integer(1);
  ByteBuffer bytes;
  encode(first, bytes);
  const std::size_t border = bytes.size();
  encode(second, bytes);
  const auto buffer = std::make_shared<const ByteBuffer>(bytes);
  EXPECT_TRUE(same(decode(buffer, 0, border), first));
  EXPECT_TRUE(same(decode(buffer, border, bytes.size() - border), second));
}

TEST(MessageCodec, RefusesAPlaceOutsideTheBuffer) {
  const auto buffer = std::make_shared<const ByteBuffer>(encoded(golden_message()));
  const std::size_t size = buffer->size();
  expect_error(ErrorCategory::BadData, {"place"}, [&] { decode(buffer, 4, size - 4); });
  expect_error(ErrorCategory::BadData, {"place"}, [&] { decode(buffer, 8, size); });
  expect_error(ErrorCategory::BadData, {"place"}, [&] { decode(buffer, size + 8, 0); });
  expect_error(ErrorCategory::BadData, {"place"},
               [&] { decode(buffer, 8, std::numeric_limits<std::size_t>::max()); });
}

void expect_refused_with(std::size_t at, std::uint8_t value, const char* words) {
  ByteBuffer bytes = encoded(golden_message());
  bytes[at] = std::byte(value);
  expect_error(ErrorCategory::BadData, {words}, [&] { decoded(bytes); });
}

TEST(MessageCodec, SaysWhatIsWrong) {
  expect_refused_with(0, 'x', "does not begin with the magic bytes");
  expect_refused_with(2, 2, "format 2; this choir reads format 1");
  expect_refused_with(3, kind_count, "kind is unknown");
  expect_refused_with(16, 7, "header is too long");
  expect_refused_with(17, 255, "header is too long");
  expect_refused_with(23, 1, "reserved bytes");
  expect_refused_with(24 + 32, 4, "array type is unknown");
  expect_refused_with(24 + 32 + 1, 1, "reserved bytes");
}

}  // namespace
}  // namespace choir
