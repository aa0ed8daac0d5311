#include <algorithm>

#include "graph/expect_error.h"
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "choir/learn/alignment/alignment.h"

namespace choir {
namespace {

using testing::expect_error;
using Keys = std::vector<std::string>;

TEST(PositionsOf, RestoreAnyOrder) {
  EXPECT_TRUE(rc::check("a key at each position is the one that was wanted", [] {
    const auto keys = *rc::gen::unique<Keys>(rc::gen::arbitrary<std::string>());
    const auto chosen = *rc::gen::container<std::vector<std::size_t>>(
        keys.empty() ? rc::gen::just(std::size_t{0}) : rc::gen::inRange<std::size_t>(0, keys.size()));
    Keys wanted;
    for (const std::size_t n : chosen) {
      if (!keys.empty()) wanted.push_back(keys[n]);
    }
    const std::vector<Index> positions = positions_of(wanted, keys, "x.csv");
    RC_ASSERT(positions.size() == wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      RC_ASSERT(keys[static_cast<std::size_t>(positions[i])] == wanted[i]);
    }
  }));
}

TEST(PositionsOf, RefuseAKeyThatIsThereTwice) {
  expect_error(ErrorCategory::BadData, {"x.csv", "\"b\" twice", "samples 2 and 4"}, [] {
    positions_of({"a"}, {"a", "b", "c", "b"}, "x.csv");
  });
}

TEST(PositionsOf, NameTheFirstMissingKeysAndCountTheRest) {
  expect_error(ErrorCategory::BadData, {"x.csv has no sample for 1 of 2 keys: \"z\";"}, [] {
    positions_of({"a", "z"}, {"a", "b"}, "x.csv");
  });
  expect_error(ErrorCategory::BadData, {"5 of 6 keys: \"v\", \"w\", \"x\" and 2 more"}, [] {
    positions_of({"a", "v", "w", "x", "y", "z"}, {"a", "b"}, "x.csv");
  });
}

TEST(PositionsOf, SayStrangeKeysInOneLine) {
  const std::string key = "line\nbreak" + std::string(100, 'x');
  expect_error(ErrorCategory::BadData, {"\"line\\nbreakxxx", "xxx\"..."},
               [&] { positions_of({key}, {}, "x.csv"); });
}

}  // namespace
}  // namespace choir
