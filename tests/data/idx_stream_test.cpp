#include "choir/data/idx_stream.h"

#include "data/gzip_support.h"
#include "data/stream_support.h"

namespace choir {
namespace {

TEST(IdxStream, ReadsEveryElementTypeAsTheReaderDoes) {
  for (const char* file : {"i1.idx", "i2.idx", "i4.idx", "f4.idx", "f8.idx", "cube.idx", "labels.idx"}) {
    const auto rows = open_idx_rows(fixture(file));
    EXPECT_EQ(rows_of(*rows).samples, read_dataset(fixture(file)).samples) << file;
  }
}

TEST(IdxStream, UnpacksAsItReadsAndGoesToAnyRow) {
  const TemporaryFolder folder;
  for (const char* name : {"f8.idx", "cube.idx", "labels.idx"}) {
    const std::vector<std::byte> bytes = read_file(fixture(name));
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    write_file_atomically(folder / "packed.idx.gz", gzip(text));
    const Samples truth = read_dataset(fixture(name)).samples;
    const auto rows = open_idx_rows(folder / "packed.idx.gz");
    for (int pass = 0; pass < 2; ++pass) {
      EXPECT_EQ(rows->skip(1), 1u);
      EXPECT_EQ(rows_of(*rows).samples, truth.rightCols(truth.cols() - 1)) << name;
      rows->rewind();
    }
    write_file_atomically(folder / "packed.idx.gz", gzip(text.substr(0, text.size() - 1)));
    EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { rows_of(*open_idx_rows(folder / "packed.idx.gz")); }),
                HasSubstr("ends within rows"));
    write_file_atomically(folder / "packed.idx.gz", gzip(std::string(text) + "x"));
    EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { rows_of(*open_idx_rows(folder / "packed.idx.gz")); }),
                HasSubstr("continues after"));
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
