#include "choir/experiment/contents.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/experiment/experiment_files.h"

namespace choir {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Contents : public ::testing::Test {
 protected:
  Contents() { fs::remove_all(folder_); }
  ~Contents() override { fs::remove_all(folder_); }

  void run(const std::string& id, std::vector<Picture> pictures) {
    ExperimentResult result{.table = DataTable({"a"})};
    result.pictures = std::move(pictures);
    write_experiment(folder_, find_experiment(id), {.seeds = 3}, result,
                     {.choir_version = "9.9", .seconds = 2});
  }

  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }

  const fs::path folder_ = fs::path(::testing::TempDir()) / "choir-experiment-contents";
};

TEST_F(Contents, HaveWhatIsThereInTheOrderOfTheRegistry) {
  run("gossip-pca/fig1", {});
  run("consensus-kpca/fig3", {{"named", LineChart{.title = "a picture"}}});
  const auto entries = contents_document(folder_).at("experiments");
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].at("id"), "consensus-kpca/fig3");
  EXPECT_EQ(entries[0].at("page"), "consensus-kpca/fig3.html");
  EXPECT_EQ(entries[0].at("seeds"), 3);
  EXPECT_THAT(entries[0].at("svg").get<std::string>(), HasSubstr("a picture"));
  EXPECT_EQ(entries[1].at("id"), "gossip-pca/fig1");
  EXPECT_FALSE(entries[1].contains("svg"));
}

TEST_F(Contents, PassOverWhatIsNoExperiment) {
  run("consensus-kpca/fig3", {});
  write("consensus-kpca/fig4.json", "{not json");
  write("consensus-kpca/fig5.json", R"({"pictures": ["../../secret.svg", 5]})");
  write("secret.svg", "<svg>elsewhere</svg>");
  const auto entries = contents_document(folder_ / "").at("experiments");
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_FALSE(entries[1].contains("svg"));
  write_contents(folder_);
  EXPECT_GT(fs::file_size(folder_ / "index.html"), 100'000U);
}

TEST_F(Contents, ReplaceTheirOwnPageAndNobodyElses) {
  run("consensus-kpca/fig3", {});
  write("index.html", "my own page");
  write_contents(folder_);
  EXPECT_EQ(fs::file_size(folder_ / "index.html"), 11U);
  fs::remove(folder_ / "index.html");
  write_contents(folder_);
  const auto before = fs::file_size(folder_ / "index.html");
  run("gossip-pca/fig1", {});
  write_contents(folder_);
  EXPECT_GT(fs::file_size(folder_ / "index.html"), before);
}

}  // namespace
}  // namespace choir
