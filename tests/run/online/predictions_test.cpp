#include "choir/run/online/predictions.h"

#include "codec/support.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

std::string text_in(const std::filesystem::path& path) {
  const std::vector<std::byte> bytes = read_file(path);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(PredictionFile, HasTheClassOfTheLargestScoreAndTheTruth) {
  const TemporaryFolder folder;
  PredictionFile file(folder / "p.csv", class_names({"cat", "dog, wet", "emu"}), {});
  file.add(3, 64, Matrix{{0.5, 1, 0}, {2, 1, 0}}, Vector{{2, 0}});
  EXPECT_EQ(text_in(folder / "p.csv"),
            "node,sample,target,prediction\n3,65,emu,\"dog, wet\"\n3,66,cat,cat\n");
}

TEST(PredictionFile, IsItsOwnersAlone) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "p.csv", "what everybody could read");
  PredictionFile file(folder / "p.csv", class_names({"-1", "7"}), {});
  file.add(0, 0, Matrix{{0, 1}}, Vector{{0}});
  EXPECT_EQ(mode_of(folder / "p.csv"), 0600u);
}

TEST(PredictionFile, HasIntegersAndValues) {
  const TemporaryFolder folder;
  PredictionFile(folder / "i.csv", class_names({"-1", "7"}), {}).add(0, 0, Matrix{{0, 1}}, Vector{{0}});
  EXPECT_EQ(text_in(folder / "i.csv"), "node,sample,target,prediction\n0,1,-1,7\n");
  PredictionFile(folder / "v.csv", {}, {}).add(0, 0, Matrix{{0.25}}, Vector{{1.5}});
  EXPECT_EQ(text_in(folder / "v.csv"), "node,sample,target,prediction\n0,1,1.5,0.25\n");
}

// A run that continues makes the predictions behind its checkpoint again.
TEST(PredictionFile, KeepsWhatARunThatContinuesHasLearned) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "p.csv",
                        "node,sample,target,prediction\n0,1,5,6\n1,1,5,6\n0,2,5,5\n1,2,6,6\n1,3,6,6\n1,4,");
  PredictionFile file(folder / "p.csv", class_names({"5", "6"}), {{0, 1}, {1, 2}});
  file.add(0, 1, Matrix{{1, 0}}, Vector{{0}});
  EXPECT_EQ(text_in(folder / "p.csv"), "node,sample,target,prediction\n0,1,5,6\n1,1,5,6\n1,2,6,6\n0,2,5,5\n");
  PredictionFile(folder / "p.csv", {}, {});
  EXPECT_EQ(text_in(folder / "p.csv"), "node,sample,target,prediction\n");
}

}  // namespace
}  // namespace choir
