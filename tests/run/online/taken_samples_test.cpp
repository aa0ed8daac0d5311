#include "choir/run/online/taken_samples.h"

#include "codec/support.h"
#include "graph/expect_error.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

TEST(TakenSamples, OutliveTheirProcess) {
  const TemporaryFolder folder;
  TakenSamples first(folder.path(), 3);
  EXPECT_EQ(first.by_earlier_runs(), 0u);
  first.note(1000);
  first.note(64);
  EXPECT_EQ(TakenSamples(folder.path(), 3).by_earlier_runs(), 64u) << "though nobody has closed the file";
  EXPECT_EQ(TakenSamples(folder.path(), 3).by_earlier_runs(), 64u);
  EXPECT_EQ(TakenSamples(folder.path(), 4).by_earlier_runs(), 0u);
}

TEST(TakenSamples, NameAFileThatCannotBeWritten) {
  testing::expect_error(ErrorCategory::Io, {"nowhere/node-3-taken.txt"}, [] { TakenSamples("nowhere", 3); });
}

}  // namespace
}  // namespace choir
