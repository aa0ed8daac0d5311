#include "choir/report/page_template.h"

#include <fstream>
#include <iterator>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace choir {
namespace {

std::string bytes_of(const char* file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(PageTemplate, HoldsTheBytesOfTheBundledFile) {
  const std::string file = bytes_of(CHOIR_PAGE_FILE);
  ASSERT_FALSE(file.empty());
  EXPECT_EQ(page_template(), file);
}

TEST(PageTemplate, HasThePlaceOfTheDocumentOnce) {
  const std::string_view page = page_template();
  const std::size_t place = page.find(page_element);
  ASSERT_NE(place, std::string_view::npos);
  EXPECT_EQ(page.find(page_element, place + 1), std::string_view::npos);
}

TEST(PageTemplate, LoadsNothing) {
  const std::string page(page_template());
  EXPECT_THAT(page, ::testing::HasSubstr("default-src 'none'"));
  for (const char* loading : {"<link", "<iframe", " src=\"http", "@import", "url(http"}) {
    EXPECT_THAT(page, ::testing::Not(::testing::HasSubstr(loading)));
  }
}

}  // namespace
}  // namespace choir
