#include "choir/data/mat_reader.h"

#include "data/support.h"

namespace choir {
namespace {

std::string mat_reader_refusal(const char* key) {
  return sentence(ErrorCategory::BadData, [&] { read_mat(fixture("packed.mat"), key); });
}

TEST(Mat, FindsTheOnlyTableOfEveryVersion) {
  for (const char* file : {"version4.mat", "version5.mat", "version73.mat"}) {
    const Dataset dataset = read_mat(fixture(file), "");
    EXPECT_EQ(dataset.samples, table(0.5)) << file;
    EXPECT_EQ(dataset.type, "float64") << file;
  }
}

TEST(Mat, ReadsAVariableByItsName) {
  const Samples labels = (Samples(4, 1) << 7, 0, 7, 3).finished();  // a row in MATLAB
  EXPECT_EQ(read_mat(fixture("version5.mat"), "labels").samples, labels);
  EXPECT_EQ(read_mat(fixture("version73.mat"), "labels").samples, labels);
  const Dataset bytes = read_mat(fixture("packed.mat"), "bytes");
  EXPECT_EQ(bytes.samples, table(0));
  EXPECT_EQ(bytes.type, "uint8");
  EXPECT_EQ(read_mat(fixture("packed.mat"), "single").samples, table(0.5));
  EXPECT_EQ(read_mat(fixture("packed.mat"), "cube").samples, cube());
  const Dataset flags = read_mat(fixture("packed.mat"), "flags");
  EXPECT_EQ(flags.type, "bool");
  EXPECT_EQ(flags.samples(1, 0), 1);
}

TEST(Mat, ListsTheVariablesWhenOneMustBePicked) {
  EXPECT_THAT(mat_reader_refusal(""),
              AllOf(HasSubstr("several variables"), HasSubstr("bytes"), HasSubstr("cube")));
  EXPECT_THAT(mat_reader_refusal("tabel"), HasSubstr("no variable 'tabel'"));
}

TEST(Mat, RefusesWhatIsNoTableOfNumbers) {
  for (const char* name : {"complex", "sparse", "words", "cell"}) {
    EXPECT_THAT(mat_reader_refusal(name), HasSubstr("not a full array of real numbers")) << name;
  }
}

TEST(Mat, RefusesAVariableLargerThanTheMemoryItMayTake) {
  const auto read = [] { read_mat(fixture("version5.mat"), "table", {.max_bytes = 95}); };
  EXPECT_THAT(sentence(ErrorCategory::OutOfMemory, read), HasSubstr("version5.mat:table"));
}

TEST(Mat, RefusesATruncatedFileOfEveryVersion) {
  const TemporaryFolder folder;
  for (const char* file : {"version4.mat", "version5.mat", "packed.mat", "version73.mat"}) {
    const std::vector<std::byte> whole = read_file(fixture(file));
    const std::string key = file == std::string("packed.mat") ? "bytes" : "table";
    std::size_t needed = 0;  // the shortest beginning of the file that has all of the variable
    for (std::size_t length = 1; length < whole.size(); length += 1 + whole.size() / 200) {
      write_file_atomically(folder / "short.mat", std::span(whole).first(length));
      try {
        const Dataset dataset = read_mat(folder / "short.mat", key);
        EXPECT_EQ(dataset.samples, key == "bytes" ? table(0) : table(0.5)) << file << " cut to " << length;
        if (needed == 0) needed = length;
      } catch (const Error& error) {
        EXPECT_EQ(error.category(), ErrorCategory::BadData) << error.what();
        EXPECT_EQ(needed, 0u) << file << " cut to " << length;
      }
    }
  }
}

}  // namespace
}  // namespace choir
