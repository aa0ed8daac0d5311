#include "choir/run/online/taken_samples.h"

#include "codec/support.h"
#include "graph/expect_error.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

// What a process finds lost that continues from checkpoints with so many samples.
std::uint64_t lost_since(const std::filesystem::path& path, std::uint64_t learned, bool continues = true) {
  TakenSamples taken;
  taken.keep_in(path, {.learned = learned, .continues = continues});
  return taken.lost();
}

TEST(TakenSamples, OutliveTheirProcess) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder / "taken.txt";
  TakenSamples first;
  first.note(5);
  EXPECT_FALSE(std::filesystem::exists(path)) << "nobody has said where";
  first.keep_in(path, {});
  EXPECT_EQ(first.lost(), 0u);
  first.note(1000);
  first.note(64);
  EXPECT_EQ(lost_since(path, 40), 24u) << "though nobody has closed the file";
  EXPECT_EQ(lost_since(path, 40), 24u);
  EXPECT_EQ(lost_since(path, 64), 0u);
}

TEST(TakenSamples, AddUpOverSeveralProcesses) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder / "taken.txt";
  TakenSamples first, second;
  first.keep_in(path, {});
  first.note(100);
  second.keep_in(path, {.learned = 80});
  second.note(7);  // and it is killed before its first checkpoint
  EXPECT_EQ(lost_since(path, 80), 27u);
}

TEST(TakenSamples, OfAnotherRunDoNotCount) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder / "taken.txt";
  TakenSamples first;
  first.keep_in(path, {});
  first.note(100);
  EXPECT_EQ(lost_since(path, 0, false), 0u);
  EXPECT_EQ(lost_since(path, 0), 0u) << "the new run has taken nothing";
  EXPECT_EQ(lost_since(path, 500), 0u) << "without a file of the time before";
}

TEST(TakenSamples, NameAFileThatCannotBeWritten) {
  TakenSamples taken;
  testing::expect_error(ErrorCategory::Io, {"nowhere/taken.txt"},
                        [&] { taken.keep_in("nowhere/taken.txt", {}); });
}

}  // namespace
}  // namespace choir
