#include "choir/data/hdf5_stream.h"

#include "data/stream_support.h"

#include "choir/base/parallel.h"

namespace choir {
namespace {

TEST(Hdf5Stream, ReadsRowsAsTheReaderDoes) {
  const std::pair<const char*, const char*> tables[] = {{"one.h5", ""},
                                                        {"one.h5", "group/labels"},
                                                        {"several.h5", "/packed"},
                                                        {"several.h5", "/big_endian"},
                                                        {"several.h5", "/cube"},
                                                        {"several.h5", "/vector"}};
  for (const auto& [file, key] : tables) {
    const auto rows = open_hdf5_rows(fixture(file), key);
    const std::string source = fixture(file) + (*key ? std::string(":") + key : "");
    EXPECT_EQ(rows_of(*rows).samples, read_dataset(source).samples) << source;
  }
}

TEST(Hdf5Stream, GoesToAnyRow) {
  const auto rows = open_hdf5_rows(fixture("one.h5"), "");
  for (int pass = 0; pass < 2; ++pass) {
    EXPECT_EQ(rows->skip(1), 1u);
    EXPECT_EQ(rows_of(*rows, 2).samples, table(0.5).middleCols(1, 2));
    EXPECT_EQ(rows->skip(10), 1u);
    EXPECT_EQ(rows_of(*rows).samples.cols(), 0);
    rows->rewind();
  }
}

TEST(Hdf5Stream, RefusesWhatTheReaderRefuses) {
  const auto refusal = [](const char* key) {
    return sentence(ErrorCategory::BadData, [&] { open_hdf5_rows(fixture("several.h5"), key); });
  };
  EXPECT_THAT(refusal(""), HasSubstr("several datasets"));
  EXPECT_THAT(refusal("/words"), HasSubstr("does not hold numbers"));
  EXPECT_THAT(refusal("/never_written"), HasSubstr("no data"));
  EXPECT_THAT(refusal("/elsewhere"), HasSubstr("other files"));
  const TemporaryFolder folder;
  const std::vector<std::byte> whole = read_file(fixture("one.h5"));
  for (std::size_t length = 1; length < whole.size(); length += 61) {
    write_file_atomically(folder / "short.h5", std::span(whole).first(length));
    EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { rows_of(*open_hdf5_rows(folder / "short.h5", "")); }),
                HasSubstr("short.h5"))
        << length;
  }
}

TEST(Hdf5Stream, IsReadFromSeveralThreads) {
  parallel_for(16, 4, [](Index) {
    const auto rows = open_hdf5_rows(fixture("one.h5"), "");
    for (Index n = 0; n < 4; ++n) EXPECT_EQ(rows_of(*rows, 1).samples, table(0.5).col(n));
  });
}

}  // namespace
}  // namespace choir
