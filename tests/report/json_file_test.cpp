#include "choir/report/json_file.h"

#include "codec/support.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

TEST(JsonFile, TextIsEveryByteOfTheFile) {
  const TemporaryFolder folder;
  const std::string text("a\0b\n\xff", 5);
  write_file_atomically(folder / "text", text);
  EXPECT_EQ(file_text(folder / "text"), text);
  EXPECT_THAT(sentence(ErrorCategory::Io, [&] { file_text(folder / "nothing"); }), HasSubstr("nothing"));
}

TEST(JsonFile, DamageIsNamedWithItsSource) {
  EXPECT_EQ(parsed("{\"b\": 1, \"a\": [2]}", "x").dump(), "{\"b\":1,\"a\":[2]}") << "in its own order";
  for (const char* text : {"", "{", "{\"a\": }", "nan"}) {
    EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { parsed(text, "result.json"); }),
                HasSubstr("result.json is damaged"));
  }
}

}  // namespace
}  // namespace choir
