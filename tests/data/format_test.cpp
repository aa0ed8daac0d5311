#include "choir/data/format.h"

#include "data/support.h"
#include "paths.h"

namespace choir {
namespace {

using namespace std::string_view_literals;

Format detect(std::string_view content, const char* name) { return detect_format(as_bytes(content), name); }

TEST(DetectFormat, GoesByContentBeforeTheExtension) {
  EXPECT_EQ(detect("\x93NUMPY\x01", "x.csv"), Format::npy);
  EXPECT_EQ(detect("PK\x03\x04", "x"), Format::npz);
  EXPECT_EQ(detect("\x89HDF\r\n\x1a\n", "x.bin"), Format::hdf5);
  EXPECT_EQ(detect(std::string(1024, 'u') + "\x89HDF\r\n\x1a\n", "x.bin"), Format::hdf5);
  EXPECT_EQ(detect("MATLAB 5.0 MAT-file", "x"), Format::mat);
  EXPECT_EQ(detect("\x1f\x8b\x08", "x.csv"), Format::gzip);
  EXPECT_EQ(detect("\0\0\x08\x03"sv, "train-images-idx3-ubyte"), Format::idx);
  EXPECT_EQ(detect("1 2:3\n", "x.txt"), Format::svmlight);
  EXPECT_EQ(detect("1 2:3\n", "x"), Format::svmlight);
}

TEST(DetectFormat, GoesByExtensionWhereTheContentLeavesDoubt) {
  for (const char* name : {"x.csv", "x.tsv", "x.TXT", "x.dat", "x.data"})
    EXPECT_EQ(detect("1,2\n", name), Format::csv);
  for (const char* name : {"x.svm", "x.svmlight", "x.libsvm"})
    EXPECT_EQ(detect("1\n", name), Format::svmlight);
  EXPECT_EQ(detect("\0\0\0\0"sv, "x.mat"), Format::mat);
}

TEST(DetectFormat, RefusesWhatItDoesNotKnow) {
  const auto refusal = [](std::string_view content, const char* name) {
    return sentence(ErrorCategory::BadData, [&] { detect(content, name); });
  };
  EXPECT_THAT(refusal("", "x.csv"), HasSubstr("x.csv is empty"));
  EXPECT_THAT(refusal("hello", "x.npy"), HasSubstr("x.npy is not a .npy file"));
  EXPECT_THAT(refusal("hello", "x.h5"), HasSubstr("x.h5 is not a HDF5 file"));
  EXPECT_THAT(refusal("1,2", "x.json"),
              AllOf(HasSubstr("x.json"), HasSubstr("no format"), HasSubstr(".npz")));
  EXPECT_THAT(refusal("1\0,2"sv, "x.csv"), HasSubstr("not a csv file"));
  EXPECT_THAT(refusal("\x7f"
                      "ELF\0"sv,
                      "x"),
              HasSubstr("no format"));
}

TEST(Locate, TakesTheKeyOff) {
  const std::string file = fixture("two.npz");
  EXPECT_EQ(locate(file).path, file);
  EXPECT_EQ(locate(file).key, "");
  EXPECT_EQ(locate(file + ":table").key, "table");
  EXPECT_EQ(locate(file + ":/a:b").key, "/a:b");
}

TEST(Locate, PrefersAFileThatHasTheWholeName) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "a", "1");
  write_file_atomically(folder / "a:b", "1");
  EXPECT_EQ(locate((folder / "a:b").string()).key, "");
  EXPECT_EQ(locate((folder / "a:c").string()).key, "c");
}

TEST(Locate, SaysWhatIsMissing) {
  EXPECT_THAT(sentence(ErrorCategory::Io, [] { locate("nowhere.npz:key"); }),
              AllOf(HasSubstr("nowhere.npz:"), HasSubstr("no such file")));
  EXPECT_THAT(sentence(ErrorCategory::Io, [] { locate(fixtures_folder()); }), HasSubstr("is a folder"));
}

}  // namespace
}  // namespace choir
