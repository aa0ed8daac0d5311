#include "choir/crypto/secret.h"

#include <set>
#include <type_traits>
#include <utility>

#include "crypto/support.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

TEST(Secret, IsMovedButNeverCopied) {
  static_assert(!std::is_copy_constructible_v<Secret> && !std::is_copy_assignable_v<Secret>);
  Secret first = Secret::random(32);
  const std::string text = testing::to_hex(first.bytes());
  Secret second = std::move(first);
  EXPECT_EQ(testing::to_hex(second.bytes()), text);
  Secret third(5);
  third = std::move(second);
  EXPECT_EQ(testing::to_hex(third.bytes()), text);
}

TEST(Secret, IsDrawnAnewEachTime) {
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) seen.insert(testing::to_hex(Secret::random(32).bytes()));
  EXPECT_EQ(seen.size(), 100u);
}

// Under the sanitizers: without bytes there is no address to fill or to wipe.
TEST(Secret, MayBeEmpty) {
  Secret none = Secret::random(0);
  EXPECT_EQ(none.size(), 0u);
  Secret some = Secret::random(3);
  some = std::move(none);
  EXPECT_TRUE(some.bytes().empty());
}

}  // namespace
}  // namespace choir
