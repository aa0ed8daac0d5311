#include "choir/run/live_model.h"

#include "codec/support.h"
#include "graph/expect_error.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace choir {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

void save(const std::filesystem::path& path, Index features, double weight) {
  KernelMachine machine;
  machine.points = Samples::Ones(features, 1);
  machine.weights = Matrix::Constant(1, 1, weight);
  machine.loss = "squared";
  save_model(path, file_with(0, "own", machine));
}

double weight_of(const LiveModel& live) { return require_machine(live.model()).weights(0, 0); }

TEST(LiveModel, IsTheNewestThatFits) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder / "model.npz";
  save(path, 2, 1);
  LiveModel live(path, "");
  std::vector<std::string> complaints;
  const auto look = [&] { return live.look([&](const std::string& words) { complaints.push_back(words); }); };
  EXPECT_FALSE(look());
  save(path, 2, 5);
  EXPECT_TRUE(look());
  EXPECT_EQ(weight_of(live), 5);
  EXPECT_FALSE(look());
  EXPECT_TRUE(complaints.empty());
  save(path, 3, 7);
  EXPECT_FALSE(look());
  write_file_atomically(path, "no model");
  EXPECT_FALSE(look());
  EXPECT_FALSE(look()) << "the same file is not complained about twice";
  EXPECT_THAT(complaints, ElementsAre(HasSubstr("3 features now, and had 2"), HasSubstr("model.npz")));
  std::filesystem::remove(path);
  EXPECT_FALSE(look());
  EXPECT_EQ(weight_of(live), 5);
}

TEST(LiveModel, MustHaveTheAnswerThatIsAskedFor) {
  const TemporaryFolder folder;
  save(folder / "model.npz", 2, 1);
  testing::expect_error(ErrorCategory::InvalidArgument, {"shared", "own"},
                        [&] { LiveModel(folder / "model.npz", "shared"); });
}

}  // namespace
}  // namespace choir
