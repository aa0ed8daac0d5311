// expect_error(ErrorCategory::BadData, {"line 3", "self"}, [] { ... }): the call throws a choir::Error of
// that category whose sentence has all the words.
#pragma once

#include <initializer_list>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/error.h"

namespace choir::testing {

template <class Call>
void expect_error(ErrorCategory category, std::initializer_list<const char*> words, const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.category(), category) << error.what();
    for (const char* word : words) EXPECT_THAT(std::string(error.what()), ::testing::HasSubstr(word));
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << "one sentence";
    return;
  }
  ADD_FAILURE() << "no error was thrown; expected one about " << *words.begin();
}

}  // namespace choir::testing
