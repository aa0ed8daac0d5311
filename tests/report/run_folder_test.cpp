#include "choir/report/run_folder.h"

#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/error.h"

namespace choir {
namespace {

namespace fs = std::filesystem;

class RunFolderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    root_ = fs::path(::testing::TempDir()) / ("choir-run-" + std::string(info->name()));
    fs::remove_all(root_);
    fs::create_directories(root_);
  }
  void TearDown() override { fs::remove_all(root_); }

  static std::string read(const fs::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(root_), {}));
  }
  std::string refusal(const fs::path& target, bool force) const {
    try {
      RunFolder::create(target, {.force = force});
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  fs::path root_;
};

TEST_F(RunFolderTest, AppearsWholeAtCommit) {
  RunFolder run = RunFolder::create(root_ / "run/", {});
  run.write("result.json", "{}");
  EXPECT_FALSE(fs::exists(root_ / "run"));
  run.commit();
  EXPECT_EQ(read(root_ / "run/result.json"), "{}");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(RunFolderTest, LeavesNothingWithoutCommit) {
  {
    const RunFolder run = RunFolder::create(root_ / "run", {});
    run.write("result.json", "{}");
  }
  EXPECT_EQ(entries(), 0u);
}

TEST_F(RunFolderTest, RefusesAnExistingFolderUnlessForced) {
  RunFolder first = RunFolder::create(root_ / "run", {});
  first.write("result.json", "1");
  first.commit();
  EXPECT_THAT(refusal(root_ / "run", false), ::testing::HasSubstr("--force"));

  RunFolder second = RunFolder::create(root_ / "run", {.force = true});
  second.write("result.json", "2");
  EXPECT_EQ(read(root_ / "run/result.json"), "1") << "the earlier run stays until the new one is whole";
  second.commit();
  EXPECT_EQ(read(root_ / "run/result.json"), "2");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(RunFolderTest, AnEmptyFolderIsAsGoodAsNone) {
  fs::create_directories(root_ / "run");
  RunFolder run = RunFolder::create(root_ / "run", {});
  run.write("result.json", "{}");
  run.commit();
  EXPECT_EQ(read(root_ / "run/result.json"), "{}");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(RunFolderTest, ForceNeverDeletesAForeignFolder) {
  fs::create_directories(root_ / "thesis");
  std::ofstream(root_ / "thesis/chapter1.tex") << "years of work";
  EXPECT_THAT(refusal(root_ / "thesis", true), ::testing::HasSubstr("does not delete it"));
  EXPECT_EQ(read(root_ / "thesis/chapter1.tex"), "years of work");
}

TEST_F(RunFolderTest, RefusesAFileInItsPlace) {
  std::ofstream(root_ / "run") << "a file";
  EXPECT_THAT(refusal(root_ / "run", true), ::testing::HasSubstr("not a folder"));
  EXPECT_THAT(refusal(root_ / "run/below", true), ::testing::HasSubstr("cannot make the output folder"));
}

}  // namespace
}  // namespace choir
