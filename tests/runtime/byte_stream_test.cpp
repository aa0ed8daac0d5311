#include "choir/runtime/mpi/byte_text.h"

#include <gtest/gtest.h>

namespace choir {
namespace {

TEST(ByteText, ValuesComeBackInOrder) {
  ByteWriter writer;
  writer.put(std::uint64_t{7});
  writer.put_text("seven");
  writer.put(true);
  writer.put_text("");
  ByteReader reader(writer.text());
  EXPECT_EQ(reader.get<std::uint64_t>(), 7u);
  EXPECT_EQ(reader.get_text(), "seven");
  EXPECT_TRUE(reader.get<bool>());
  EXPECT_EQ(reader.get_text(), "");
}

TEST(ByteText, ATextThatEndsTooEarlyIsRefused) {
  ByteWriter writer;
  writer.put_text("seven");
  const std::string text = writer.text();
  for (std::size_t size = 0; size < text.size(); ++size) {
    ByteReader reader(std::string_view(text).substr(0, size));
    EXPECT_THROW(reader.get_text(), Error) << size;
  }
}

TEST(ByteText, AnAbsurdLengthIsRefused) {
  ByteWriter writer;
  writer.put(~std::uint64_t{0});
  ByteReader reader(writer.text());
  EXPECT_THROW(reader.get_text(), Error);
}

}  // namespace
}  // namespace choir
