#include "choir/cli/json_text.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace choir::cli {
namespace {

TEST(JsonText, IsUnicodeWhateverTheBytes) {
  EXPECT_EQ(readable("d\xc3\xa9 \"x\"\n"), "d\xc3\xa9 \"x\"\n");
  EXPECT_EQ(readable("d\xe9.csv"), "d\xef\xbf\xbd.csv");
  const nlohmann::ordered_json about = {{"file", "d\xe9.csv"}, {"rows", 3}};
  EXPECT_EQ(json_text(about), "{\"file\":\"d\xef\xbf\xbd.csv\",\"rows\":3}");
  EXPECT_EQ(json_text(nlohmann::ordered_json{{"rows", 3}}, 1), "{\n \"rows\": 3\n}");
}

}  // namespace
}  // namespace choir::cli
