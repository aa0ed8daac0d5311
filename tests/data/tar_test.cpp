#include "choir/data/tar.h"

#include "data/support.h"
#include "data/tar_support.h"

namespace choir {
namespace {

std::string refusal(std::string_view archive) {
  return sentence(ErrorCategory::BadData, [&] { list_tar(as_bytes(archive), "x.tar"); });
}

TEST(ListTar, FindsRegularFiles) {
  const std::string long_text(1300, 'x');
  const std::string archive = tar_entry("package", "", '5') + tar_entry("package/a", "alpha") +
                              tar_entry("package/empty", "") + tar_entry("package/long", long_text) +
                              tar_end();
  const std::vector<TarEntry> entries = list_tar(as_bytes(archive), "x.tar");
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[0].path, "package/a");
  EXPECT_EQ(as_text(entries[0].bytes), "alpha");
  EXPECT_TRUE(entries[1].bytes.empty());
  EXPECT_EQ(as_text(entries[2].bytes), long_text);
}

TEST(ListTar, RefusesATruncatedArchive) {
  const std::string archive = tar_entry("a", "alpha") + tar_entry("b", "beta");
  for (std::size_t length = 0; length <= archive.size(); length += 64) {
    EXPECT_THAT(refusal(archive.substr(0, length)), HasSubstr("truncated")) << length;
  }
}

TEST(ListTar, RefusesAWrongHeader) {
  std::string archive = tar_entry("a", "alpha") + tar_end();
  archive[0] = 'b';
  EXPECT_THAT(refusal(archive), HasSubstr("damaged"));
  EXPECT_THAT(refusal(std::string(2048, 'z')), HasSubstr("damaged"));
}

}  // namespace
}  // namespace choir
