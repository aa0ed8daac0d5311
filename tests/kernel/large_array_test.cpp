#include "choir/kernel/large_array.h"

#include <cstdint>

#include "kernel/support.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace choir {
namespace {

TEST(LargeArray, IsAlignedAndWritable) {
  for (const Index count : {0, 1, 1000}) {
    const auto values = large_array<float>(count);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(values.get()) % 64, 0U);
    for (Index i = 0; i < count; ++i) values[i] = 1;
  }
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they abort on such a request
TEST(LargeArray, MoreThanThereIsGivesASentenceWithTheSize) {
  EXPECT_THAT(test::message_of([] { large_array<double>(Index{1} << 55); }),
              ::testing::AllOf(::testing::HasSubstr("no memory"), ::testing::HasSubstr("iB")));
}
#endif

}  // namespace
}  // namespace choir
