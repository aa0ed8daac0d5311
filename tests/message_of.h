// What the Error of an action says, to be looked at with matchers: empty if nothing is thrown.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "choir/base/error.h"

namespace choir::test {

template <class Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

template <class Action>
std::string message_of(ErrorCategory category, const Action& action) {
  return message_of([&] {
    try {
      action();
    } catch (const Error& error) {
      EXPECT_EQ(error.category(), category) << error.what();
      throw;
    }
  });
}

}  // namespace choir::test
