#include "choir/data/idx_stream.h"

#include "data/stream_support.h"

namespace choir {
namespace {

using ::testing::HasSubstr;

TEST(IdxStream, ReadsEveryElementTypeAsTheReaderDoes) {
  for (const char* file : {"i1.idx", "i2.idx", "i4.idx", "f4.idx", "f8.idx", "cube.idx", "labels.idx"}) {
    const auto rows = open_idx_rows(fixture(file));
    EXPECT_EQ(rows_of(*rows).samples, read_dataset(fixture(file)).samples) << file;
  }
}

TEST(IdxStream, RefusesATruncatedFileAtEveryLengthAndBytesBehindIt) {
  const TemporaryFolder folder;
  std::vector<std::byte> whole = read_file(fixture("f8.idx"));
  const std::size_t size = whole.size();
  whole.push_back(std::byte{1});
  for (std::size_t length = 0; length <= size + 1; ++length) {
    if (length == size) continue;
    write_file_atomically(folder / "other.idx", std::span(whole).first(length));
    EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { open_idx_rows(folder / "other.idx"); }),
                HasSubstr("other.idx"))
        << length;
  }
}

}  // namespace
}  // namespace choir
