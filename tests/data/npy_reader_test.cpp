#include "choir/data/npy_reader.h"

#include "data/support.h"

namespace choir {
namespace {

Dataset decode(const std::string& name) { return decode_npy_dataset(read_file(fixture(name)), name); }

std::string npy_reader_refusal(const std::string& name) {
  return sentence(ErrorCategory::BadData, [&] { decode(name); });
}

TEST(NpyReader, ReadsEveryElementType) {
  for (const char* type : {"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"}) {
    const Dataset dataset = decode(std::string(type) + ".npy");
    EXPECT_EQ(dataset.samples, table(0)) << type;
    EXPECT_EQ(dataset.type, type);
  }
  for (const char* type : {"float32", "float64"}) {
    const Dataset dataset = decode(std::string(type) + ".npy");
    EXPECT_EQ(dataset.samples, table(0.5)) << type;
    EXPECT_EQ(dataset.type, type);
  }
  EXPECT_EQ(decode("bool.npy").samples(1, 0), 1);
  EXPECT_EQ(decode("bool.npy").samples(0, 0), 0);
}

TEST(NpyReader, ReadsBothOrdersAndAnyNumberOfDimensions) {
  EXPECT_EQ(decode("fortran.npy").samples, table(0.5));
  EXPECT_EQ(decode("cube.npy").samples, cube());
  EXPECT_EQ(decode("fortran_cube.npy").samples, cube());
  EXPECT_EQ(decode("vector.npy").samples, (Samples(1, 3) << 1.5, 2.5, 3.5).finished());
}

TEST(NpyReader, RefusesWhatIsNoTableOfNumbers) {
  EXPECT_THAT(npy_reader_refusal("scalar.npy"), HasSubstr("single number"));
  EXPECT_THAT(npy_reader_refusal("no_rows.npy"), HasSubstr("no data"));
  EXPECT_THAT(npy_reader_refusal("big_endian.npy"), HasSubstr("big-endian"));
  EXPECT_THAT(npy_reader_refusal("object.npy"), HasSubstr("object"));
}

TEST(NpyReader, RefusesATruncatedFileAtEveryLength) {
  const std::vector<std::byte> whole = read_file(fixture("float32.npy"));
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THAT(sentence(ErrorCategory::BadData,
                         [&] { decode_npy_dataset(std::span(whole).first(length), "short.npy"); }),
                HasSubstr("short.npy"))
        << length;
  }
}

TEST(NpzReader, PicksAnArray) {
  EXPECT_EQ(read_npz(fixture("one.npz"), "").samples, table(0.5));
  EXPECT_EQ(read_npz(fixture("two.npz"), "table").samples, table(0.5));
  EXPECT_EQ(read_npz(fixture("two.npz"), "labels").samples(0, 3), 3);
}

TEST(NpzReader, ListsTheKeysWhenOneMustBePicked) {
  EXPECT_THAT(sentence(ErrorCategory::BadData, [] { read_npz(fixture("two.npz"), ""); }),
              AllOf(HasSubstr("table, labels"), HasSubstr("two.npz:table")));
  EXPECT_THAT(sentence(ErrorCategory::BadData, [] { read_npz(fixture("two.npz"), "tabel"); }),
              AllOf(HasSubstr("no array 'tabel'"), HasSubstr("table, labels")));
}

TEST(NpzReader, RefusesATruncatedFile) {
  for_truncations_of("one.npz", 7, [](const std::filesystem::path& path, std::size_t length) {
    EXPECT_THROW(read_npz(path, ""), Error) << length;
  });
}

TEST(NpzReader, StopsAtItsMemoryLimit) {
  const auto read = [] { read_npz(fixture("two.npz"), "table", {.max_bytes = 100}); };
  EXPECT_THROW(read(), Error);
}

}  // namespace
}  // namespace choir
