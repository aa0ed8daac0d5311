#include "choir/data/idx_reader.h"

#include "data/support.h"

namespace choir {
namespace {

std::vector<std::byte> cube_bytes() { return read_file(fixture("cube.idx")); }

std::string idx_reader_refusal(std::span<const std::byte> bytes) {
  return sentence(ErrorCategory::BadData, [&] { decode_idx(bytes, "x.idx"); });
}

TEST(Idx, ReadsEveryElementType) {
  const std::pair<const char*, const char*> wholes[] = {
      {"i1.idx", "int8"}, {"i2.idx", "int16"}, {"i4.idx", "int32"}};
  for (const auto& [file, type] : wholes) {
    const Dataset dataset = decode_idx(read_file(fixture(file)), file);
    EXPECT_EQ(dataset.samples, table(0)) << file;
    EXPECT_EQ(dataset.type, type);
  }
  EXPECT_EQ(decode_idx(read_file(fixture("f4.idx")), "x").samples, table(0.5));
  EXPECT_EQ(decode_idx(read_file(fixture("f8.idx")), "x").samples, table(0.5));
}

TEST(Idx, FlattensImages) {
  const Dataset dataset = decode_idx(cube_bytes(), "x");
  EXPECT_EQ(dataset.samples, cube());
  EXPECT_EQ(dataset.type, "uint8");
}

TEST(Idx, RefusesATruncatedFileAtEveryLength) {
  const std::vector<std::byte> whole = cube_bytes();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THAT(idx_reader_refusal(std::span(whole).first(length)), HasSubstr("x.idx")) << length;
  }
}

TEST(Idx, RefusesBytesAfterTheEnd) {
  std::vector<std::byte> bytes = cube_bytes();
  bytes.push_back(std::byte{1});
  EXPECT_THAT(idx_reader_refusal(bytes), AllOf(HasSubstr("25 bytes"), HasSubstr("need 24")));
}

TEST(Idx, RefusesAWrongMagicAndAnAbsurdHeader) {
  std::vector<std::byte> bytes = cube_bytes();
  for (std::size_t i = 4; i < 16; ++i) bytes[i] = std::byte{0xff};
  EXPECT_THAT(sentence(ErrorCategory::OutOfMemory, [&] { decode_idx(bytes, "x.idx"); }), HasSubstr("x.idx"));
  bytes[2] = std::byte{0x0a};
  EXPECT_THAT(idx_reader_refusal(bytes), HasSubstr("not an idx file"));
}

TEST(Idx, RefusesAnArrayWithoutElements) {
  std::vector<std::byte> bytes = cube_bytes();
  bytes.resize(16);
  bytes[7] = std::byte{0};
  EXPECT_THAT(idx_reader_refusal(bytes), HasSubstr("no data"));
}

}  // namespace
}  // namespace choir
