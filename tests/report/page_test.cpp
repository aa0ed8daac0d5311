#include "choir/report/page.h"

#include <gtest/gtest.h>

namespace choir {
namespace {

using Json = nlohmann::ordered_json;

// What stands in the element that the script reads.
std::string embedded_in(const std::string& page) {
  const std::string open = "<script type=\"application/json\" id=\"run\">";
  const std::size_t begin = page.find(open) + open.size();
  return page.substr(begin, page.find("</script>", begin) - begin);
}

TEST(Page, HasTheDocumentInIt) {
  const Json document = {{"result", {{"method", "gossip-pca"}, {"nodes", 3}}}, {"metrics", Json::array()}};
  const std::string page = page_of(document);
  EXPECT_EQ(Json::parse(embedded_in(page)), document);
  EXPECT_EQ(page.find("<!DOCTYPE html>"), 0u);
}

TEST(Page, NoTextOfTheDocumentEndsItsElement) {
  for (const char* text : {"</script><script>alert(1)</script>", "<!--<script>", "]]>", "\\u003c/script>"}) {
    const Json document = {{"result", {{"method", text}}}};
    EXPECT_EQ(Json::parse(embedded_in(page_of(document))), document) << text;
    EXPECT_EQ(embedded_in(page_of(document)).find('<'), std::string::npos);
  }
}

TEST(Page, TextThatIsNotUnicodeIsNoError) {
  const std::string page = page_of({{"result", {{"method", "a\xff\xfe"}}}});
  EXPECT_NE(embedded_in(page).find("a"), std::string::npos);
}

TEST(Page, KnowsItsLike) {
  EXPECT_TRUE(is_page(page_of({{"result", 1}})));
  EXPECT_FALSE(is_page("<html><body>somebody's page</body></html>"));
  EXPECT_FALSE(is_page(""));
}

// Everything is in it: nothing is fetched from anywhere.
TEST(Page, NeedsNothingElse) {
  const std::string page = page_of(Json::object());
  EXPECT_LT(page.size(), 2u << 20);
  for (const char* reference : {"src=\"http", "href=\"http", "src='http", "@import", "url(http"}) {
    EXPECT_EQ(page.find(reference), std::string::npos) << reference;
  }
}

}  // namespace
}  // namespace choir
