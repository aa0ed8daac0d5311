#include "choir/experiment/experiment_files.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/error.h"

namespace choir {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::string read(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(ExperimentFiles, AreAllThereAndNotReplacedUnasked) {
  const fs::path folder = fs::path(::testing::TempDir()) / "choir-experiment-files";
  fs::remove_all(folder);
  ExperimentResult result{.table = DataTable({"a"}), .notes = {"a note"}};
  result.table.add_row({1.5});
  result.pictures = {{"", LineChart{.title = "first"}}, {"time", LineChart{.title = "second"}}};
  const Experiment experiment{.id = "method/one", .shows = "something", .run = {}};

  EXPECT_NO_THROW(refuse_existing(folder, "method/one"));
  write_experiment(folder, experiment, {.seeds = 3}, result,
                   {.choir_version = "9.9", .command = "choir experiment method/one", .seconds = 2});
  EXPECT_EQ(read(folder / "method/one.csv"), "a\n1.5\n");
  EXPECT_THAT(read(folder / "method/one.svg"), HasSubstr("first"));
  EXPECT_THAT(read(folder / "method/one-time.svg"), HasSubstr("second"));
  const auto json = nlohmann::json::parse(read(folder / "method/one.json"));
  EXPECT_EQ(json.at("choir"), "9.9");
  EXPECT_EQ(json.at("seeds"), 3);
  EXPECT_EQ(json.at("command"), "choir experiment method/one");
  EXPECT_EQ(json.at("pictures"), nlohmann::json({"one.svg", "one-time.svg"}));
  EXPECT_EQ(json.at("table").at("rows").at(0).at(0), 1.5);
  EXPECT_THROW(refuse_existing(folder, "method/one"), Error);
  fs::remove_all(folder);
}

TEST(Experiments, HaveNamesOfTheirOwnAndAreFound) {
  for (const Experiment& experiment : all_experiments()) {
    EXPECT_EQ(find_experiment(experiment.id).shows, experiment.shows);
  }
  EXPECT_THROW(find_experiment("consensus-kpca/fig99"), Error);
  EXPECT_THROW(validate(ExperimentOptions{.seeds = 0}), Error);
}

}  // namespace
}  // namespace choir
