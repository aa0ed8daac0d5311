#include "choir/report/built_in_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/error.h"
#include "choir/report/page_template.h"

namespace choir {
namespace {

TEST(BuiltInParts, SayWhetherThePageIsThere) {
  bool there = true;
  try {
    page_template();
  } catch (const Error& error) {
    EXPECT_EQ(error.category(), ErrorCategory::Unavailable);
    there = false;
  }
  EXPECT_EQ(there, ::testing::Value(built_in_parts(), ::testing::Contains("page")));
}

}  // namespace
}  // namespace choir
