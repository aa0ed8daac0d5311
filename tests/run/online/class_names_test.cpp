#include "choir/run/online/class_names.h"

#include "graph/expect_error.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

using choir::testing::expect_error;
using Texts = std::vector<std::string>;

TEST(ClassNames, AreIntegersIfAllAre) {
  const ClassNames classes = class_names({"10", "2", "-1", "2"});
  EXPECT_EQ(classes.labels, (std::vector<std::int64_t>{-1, 2, 10}));
  EXPECT_TRUE(classes.words.empty());
  EXPECT_EQ(classes.texts(), (Texts{"-1", "2", "10"}));
  EXPECT_TRUE(classes.rule().allows(10));
  EXPECT_FALSE(classes.rule().allows(3));
}

TEST(ClassNames, AreWordsByTheirPlacesOtherwise) {
  const ClassNames classes = class_names({"dog", "10", "cat", "dog"});
  EXPECT_EQ(classes.labels, (std::vector<std::int64_t>{0, 1, 2}));
  EXPECT_EQ(classes.texts(), (Texts{"10", "cat", "dog"}));
  EXPECT_EQ(classes.rule().of_text("dog"), 2);
}

TEST(ClassNames, MayBeNone) {
  EXPECT_TRUE(class_names({}).empty());
  EXPECT_FALSE(class_names({}).rule().allows);
  expect_error(ErrorCategory::InvalidArgument, {"no name"}, [] { class_names({"cat", ""}); });
}

}  // namespace
}  // namespace choir
