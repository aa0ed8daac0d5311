// The engine that the suite runs over, chosen on the command line.
#pragma once

#include <memory>

#include <gtest/gtest.h>

#include "choir/runtime/engines.h"

namespace choir {

std::unique_ptr<Engine>& suite_engine();

// The result of every node that this process has.
template <class Result>
void expect_everywhere(const Outcome<Result>& outcome, const Result& expected) {
  for (const auto& result : outcome.results) {
    if (result) {
      EXPECT_EQ(*result, expected);
    }
  }
}

}  // namespace choir
