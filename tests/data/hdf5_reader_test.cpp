#include "choir/data/hdf5_reader.h"

#include "data/support.h"

#include "choir/base/parallel.h"

namespace choir {
namespace {

std::string hdf5_reader_refusal(const char* key) {
  return sentence(ErrorCategory::BadData, [&] { read_hdf5(fixture("several.h5"), key); });
}

TEST(Hdf5, FindsTheOnlyTable) {
  const Dataset dataset = read_hdf5(fixture("one.h5"), "");
  EXPECT_EQ(dataset.samples, table(0.5));
  EXPECT_EQ(dataset.type, "float64");
}

TEST(Hdf5, ReadsADatasetByItsPath) {
  EXPECT_EQ(read_hdf5(fixture("one.h5"), "/group/table").samples, table(0.5));
  EXPECT_EQ(read_hdf5(fixture("one.h5"), "group/labels").samples, (Samples(1, 4) << 7, 0, 7, 3).finished());
  const Dataset packed = read_hdf5(fixture("several.h5"), "/packed");
  EXPECT_EQ(packed.samples, table(0));
  EXPECT_EQ(packed.type, "uint8");
  const Dataset foreign = read_hdf5(fixture("several.h5"), "/big_endian");
  EXPECT_EQ(foreign.samples, table(0.5));
  EXPECT_EQ(foreign.type, "float32");
  EXPECT_EQ(read_hdf5(fixture("several.h5"), "/cube").samples, cube());
  EXPECT_EQ(read_hdf5(fixture("several.h5"), "/vector").type, "int16");
}

TEST(Hdf5, ListsTheDatasetsWhenOneMustBePicked) {
  EXPECT_THAT(hdf5_reader_refusal(""),
              AllOf(HasSubstr("several datasets"), HasSubstr("/packed"), HasSubstr("/cube")));
  EXPECT_THAT(hdf5_reader_refusal("/tabel"), HasSubstr("no dataset '/tabel'"));
}

TEST(Hdf5, RefusesWhatIsNoTableOfNumbers) {
  EXPECT_THAT(hdf5_reader_refusal("/words"), HasSubstr("does not hold numbers"));
  EXPECT_THAT(hdf5_reader_refusal("/never_written"), HasSubstr("no data"));
  EXPECT_THAT(hdf5_reader_refusal("/elsewhere"), HasSubstr("other files"));
}

TEST(Hdf5, RefusesAnAbsurdSizeBeforeAllocating) {
  EXPECT_THAT(sentence(ErrorCategory::OutOfMemory, [] { read_hdf5(fixture("several.h5"), "/absurd"); }),
              AllOf(HasSubstr("/absurd"), HasSubstr("1099511627776 x 1048576")));
}

TEST(Hdf5, RefusesATruncatedFile) {
  for_truncations_of("one.h5", 61, [](const std::filesystem::path& path, std::size_t length) {
    EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { read_hdf5(path, ""); }), HasSubstr("short.h5"))
        << length;
  });
}

TEST(Hdf5, IsReadFromSeveralThreads) {
  parallel_for(16, 4, [](Index) { EXPECT_EQ(read_hdf5(fixture("one.h5"), "").samples, table(0.5)); });
}

}  // namespace
}  // namespace choir
