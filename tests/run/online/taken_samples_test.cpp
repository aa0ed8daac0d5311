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
  first.note({.records = 5});
  first.go_on_in(path);
  EXPECT_FALSE(std::filesystem::exists(path)) << "nobody has said where";
  first.keep_in(path, {});
  EXPECT_EQ(first.lost(), 0u);
  first.note({.records = 1000});
  first.note({.records = 64});
  EXPECT_EQ(lost_since(path, 40), 24u) << "though nobody has closed the file";
  EXPECT_EQ(lost_since(path, 40), 24u);
  EXPECT_EQ(lost_since(path, 64), 0u);
}

TEST(TakenSamples, AddUpOverSeveralProcesses) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder / "taken.txt";
  TakenSamples first, second;
  first.keep_in(path, {});
  first.note({.records = 100});
  second.keep_in(path, {.learned = 80});
  second.note({.records = 7});  // and it is killed before its first checkpoint
  EXPECT_EQ(lost_since(path, 80), 27u);
}

TEST(TakenSamples, OfAnotherRunDoNotCount) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder / "taken.txt";
  TakenSamples first;
  first.keep_in(path, {});
  first.note({.records = 100});
  EXPECT_EQ(lost_since(path, 0, false), 0u);
  EXPECT_EQ(lost_since(path, 0), 0u) << "the new run has taken nothing";
  EXPECT_EQ(lost_since(path, 500), 0u) << "without a file of the time before";
}

// Taken: 3 records that were read, 4 lines in memory, and a part of the next one.
TEST(TakenSamples, CountLinesThatWereReceivedAndNotRead) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder / "taken.txt";
  TakenSamples first;
  first.keep_in(path, {});
  first.note({.records = 3, .lines = {.unread = 4, .ends_within_a_line = true}});
  TakenSamples second;
  second.go_on_in(path);
  second.keep_in(path, {.learned = 2});
  EXPECT_EQ(second.lost(), 6u);
  second.note({.records = 5});
  EXPECT_EQ(lost_since(path, 7), 6u) << "they stay lost, and nothing is lost twice";
}

TEST(TakenSamples, CountALineOnceThatTwoProcessesReceivedInPart) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder / "taken.txt";
  for (const bool was_cut : {false, true}) {
    TakenSamples first, second;
    first.keep_in(path, {.continues = false});
    first.note({.records = 64, .lines = {.ends_within_a_line = was_cut}});
    second.go_on_in(path);
    second.note({.lines = {.passed_over = 1}});  // killed before it knows what it goes on from
    EXPECT_EQ(lost_since(path, 64), 1u);
    EXPECT_EQ(lost_since(path, 32), 33u);
  }
}

TEST(TakenSamples, ReadFilesOfEarlierVersions) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder / "taken.txt";
  std::ofstream(path) << "00000000000000000100\n";
  EXPECT_EQ(lost_since(path, 80), 20u);
}

TEST(TakenSamples, NameAFileThatCannotBeWritten) {
  TakenSamples taken;
  testing::expect_error(ErrorCategory::Io, {"nowhere/taken.txt"},
                        [&] { taken.keep_in("nowhere/taken.txt", {}); });
}

}  // namespace
}  // namespace choir
