#include "data/support.h"

#include "choir/data/dataset.h"

namespace choir {
namespace {

TEST(MissingHdf5, IsSaidToTheReader) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "a.h5", "\x89HDF\r\n\x1a\n");
  const auto read = [&] { read_dataset((folder / "a.h5").string()); };
  EXPECT_THAT(sentence(ErrorCategory::Unavailable, read), HasSubstr("built without HDF5"));
}

}  // namespace
}  // namespace choir
