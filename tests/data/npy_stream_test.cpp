#include "choir/data/npy_stream.h"

#include "data/stream_support.h"

namespace choir {
namespace {

std::string npy_stream_refusal(const std::string& path) {
  return sentence(ErrorCategory::BadData, [&] { rows_of(*open_npy_rows(path)); });
}

TEST(NpyStream, ReadsEveryElementTypeAsTheReaderDoes) {
  for (const char* file :
       {"float64.npy", "float32.npy", "bool.npy", "int8.npy", "uint8.npy", "int16.npy", "uint16.npy",
        "int32.npy", "uint32.npy", "int64.npy", "uint64.npy", "cube.npy", "vector.npy"}) {
    const auto rows = open_npy_rows(fixture(file));
    const Samples whole = read_dataset(fixture(file)).samples;
    EXPECT_EQ(rows->rows(), static_cast<std::uint64_t>(whole.cols())) << file;
    EXPECT_EQ(rows_of(*rows).samples, whole) << file;
  }
}

TEST(NpyStream, RefusesRowsThatAreSpreadOverTheFile) {
  for (const char* file : {"fortran.npy", "fortran_cube.npy"})
    EXPECT_THAT(npy_stream_refusal(fixture(file)), AllOf(HasSubstr(file), HasSubstr("ascontiguousarray")))
        << file;
}

TEST(NpyStream, RefusesATruncatedFileAtEveryLength) {
  const TemporaryFolder folder;
  const std::vector<std::byte> whole = read_file(fixture("float64.npy"));
  for (std::size_t length = 0; length < whole.size(); ++length) {
    write_file_atomically(folder / "short.npy", std::span(whole).first(length));
    EXPECT_THAT(npy_stream_refusal(folder / "short.npy"), HasSubstr("short.npy")) << length;
  }
}

TEST(NpyStream, RefusesWhatTheReaderRefuses) {
  for (const char* file : {"object.npy", "big_endian.npy", "scalar.npy", "no_rows.npy"})
    EXPECT_THAT(npy_stream_refusal(fixture(file)), HasSubstr(file));
}

}  // namespace
}  // namespace choir
