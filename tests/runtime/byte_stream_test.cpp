#include "choir/runtime/byte_stream.h"

#include "graph/expect_error.h"

namespace choir {
namespace {

using testing::expect_error;

TEST(ByteStream, ValuesComeBackInOrder) {
  ByteWriter writer;
  writer.put(std::uint64_t{7});
  writer.put_text("seven");
  writer.put(true);
  writer.put_text("");
  const std::vector<std::byte> bytes = writer.take();
  ByteReader reader(bytes);
  EXPECT_EQ(reader.get<std::uint64_t>(), 7u);
  EXPECT_EQ(reader.get_text(), "seven");
  EXPECT_TRUE(reader.get<bool>());
  EXPECT_EQ(reader.get_text(), "");
  EXPECT_NO_THROW(reader.expect_end());
}

TEST(ByteStream, TheWriterGivesItsBytesAwayOnceAsAVectorOrAsAnArray) {
  ByteWriter writer;
  writer.put(std::uint16_t{0x0201});
  EXPECT_EQ(writer.bytes().size(), 2u);
  const Array array = writer.take_array();
  EXPECT_TRUE(writer.take().empty());
  ASSERT_EQ(array.bytes_view().size(), 2u);
  EXPECT_EQ(array.bytes_view()[0], std::byte{1});
}

TEST(ByteStream, ATextThatEndsTooEarlyIsRefused) {
  ByteWriter writer;
  writer.put_text("seven");
  const std::vector<std::byte> bytes = writer.take();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    ByteReader reader(std::span<const std::byte>(bytes).first(size));
    expect_error(ErrorCategory::BadData, {"ends too early"}, [&] { reader.get_text(); });
  }
}

TEST(ByteStream, AnAbsurdLengthIsRefused) {
  ByteWriter writer;
  writer.put(~std::uint64_t{0});
  ByteReader reader(writer.bytes());
  expect_error(ErrorCategory::BadData, {"ends too early"}, [&] { reader.get_text(); });
}

TEST(ByteStream, ATruthValueIsZeroOrOne) {
  ByteWriter writer;
  writer.put(std::uint8_t{2});
  ByteReader reader(writer.bytes());
  expect_error(ErrorCategory::BadData, {"truth value"}, [&] { reader.get<bool>(); });
}

TEST(ByteStream, WhatIsLeftAtTheEndIsRefused) {
  ByteWriter writer;
  writer.put(std::uint8_t{1});
  const ByteReader reader(writer.bytes());
  EXPECT_EQ(reader.left(), 1u);
  expect_error(ErrorCategory::BadData, {"after its end"}, [&] { reader.expect_end(); });
}

}  // namespace
}  // namespace choir
