#include "choir/report/run_document.h"

#include <fstream>

#include "codec/support.h"
#include "graph/expect_error.h"
#include <gtest/gtest.h>

#include "choir/report/page.h"

namespace choir {
namespace {

using testing::expect_error;
using Json = nlohmann::ordered_json;

void write(const std::filesystem::path& path, const std::string& text) { std::ofstream(path) << text; }

// As a run with yardsticks of so many nodes leaves them: numbers of 17 digits.
void write_run(const std::filesystem::path& folder, int nodes, int iterations) {
  std::filesystem::create_directories(folder);
  Json rows = Json::array();
  Json links = Json::array();
  for (int node = 0; node < nodes; ++node) {
    rows.push_back({1.0 / (1.1 + node), 1.0 / (1.2 + node), 1.0 / (1.3 + node), 1.0 / (1.4 + node)});
    for (int near = 1; near <= 2; ++near) links.push_back({node, (node + near) % nodes, 1234567, 1234567});
  }
  Json per_node = Json::object();
  for (const char* name : {"local", "gather_own", "gather_neighborhood", "oracle", "similarity_own"}) {
    per_node[name] = rows;
  }
  write(folder / "result.json", Json({{"method", "consensus-kpca"},
                                      {"nodes", nodes},
                                      {"quality", {{"per_node", per_node}}},
                                      {"assessment", {{"weaknesses", Json::array({"the answer is weak"})}}},
                                      {"network", {{"nodes", nodes}, {"links", links}}},
                                      {"options", {{"data", "x.npy"}}}})
                                    .dump());
  std::ofstream metrics(folder / "metrics.jsonl");
  for (int i = 0; i < nodes * iterations; ++i) {
    metrics << Json({{"node", i % nodes},
                     {"iteration", i / nodes},
                     {"change", 1e-3 / (3.0 + i)},
                     {"gap", 1e-2 / (3.0 + i)},
                     {"similarity", 1 - 0.1 / (3.0 + i)}})
                   .dump()
            << '\n';
  }
}

TEST(RunDocument, IsTheSummaryAndTheMetrics) {
  const TemporaryFolder folder;
  write(folder / "result.json", R"({"method": "gossip-pca", "nodes": 2})");
  write(folder / "metrics.jsonl", "{\"node\": 0}\n\n{\"node\": 1}\n");
  const Json document = run_document(folder.path());
  EXPECT_EQ(document.at("result").at("method"), "gossip-pca");
  EXPECT_EQ(document.at("metrics"), Json::parse(R"([{"node": 0}, {"node": 1}])"));
  EXPECT_FALSE(document.contains("metrics_shown"));
  EXPECT_EQ(document.at("name"), folder.path().filename().string());
  EXPECT_EQ(run_document(folder.path(), "digits").at("name"), "digits");
  const Json both = comparison_document({folder.path(), folder.path()});
  ASSERT_EQ(both.at("runs").size(), 2u);
  EXPECT_EQ(both.at("runs")[1].at("result"), document.at("result"));
  EXPECT_EQ(both.at("runs")[1].at("metrics"), document.at("metrics"));
}

TEST(RunDocument, NamesWhatIsNoRun) {
  const TemporaryFolder folder;
  expect_error(ErrorCategory::BadData, {"result.json", "choir fit"}, [&] { run_document(folder.path()); });
  write(folder / "result.json", "[1, 2]");
  expect_error(ErrorCategory::BadData, {"result.json"}, [&] { run_document(folder.path()); });
  write(folder / "result.json", R"({"method": "x", "nodes": "many"})");
  expect_error(ErrorCategory::BadData, {"result.json", "nodes"}, [&] { run_document(folder.path()); });
  write(folder / "result.json", "{\"method\"");
  expect_error(ErrorCategory::BadData, {"result.json", "damaged"}, [&] { run_document(folder.path()); });
  write(folder / "result.json", R"({"method": "x"})");
  write(folder / "metrics.jsonl", "{}\n{\n");
  expect_error(ErrorCategory::BadData, {"metrics.jsonl line 2"}, [&] { run_document(folder.path()); });
}

TEST(RunDocument, SaysWhatItLeavesOut) {
  const TemporaryFolder folder;
  write_run(folder.path(), 400, 100);
  std::ofstream(folder / "metrics.jsonl", std::ios::app) << "{\"node\": 3, ";
  const Json document = run_document(folder.path());
  EXPECT_EQ(document.at("metrics_shown").at("of"), 40000);
  EXPECT_EQ(document.at("metrics_shown").at("lines"), document.at("metrics").size());
  EXPECT_LT(document.at("metrics").size(), 30000u);
  EXPECT_TRUE(document.at("metrics_cut").get<bool>());
}

// 400 nodes and 24,000 lines once made a page of 3.6 MB, and three of them one of 8.1 MB.
TEST(RunDocument, APageStaysBelowThreeMegabytes) {
  const TemporaryFolder folder;
  std::vector<std::filesystem::path> runs;
  for (const char* name : {"a", "b", "c"}) {
    runs.push_back(folder / name);
    write_run(runs.back(), 400, 60);
  }
  const std::size_t page = page_of(Json::object()).size();
  const std::size_t one = page_of(run_document(runs[0])).size();
  const std::size_t three = page_of(comparison_document(runs)).size();
  EXPECT_LT(one, 3'000'000u);
  EXPECT_LT(three, 3'000'000u);
  EXPECT_GT(one, page + 1'000'000) << "room is there to be used";
  EXPECT_GT(three, page + 1'000'000);
}

TEST(RunDocument, SideBySideHasWhatIsComparedAlone) {
  const TemporaryFolder folder;
  write_run(folder / "one", 5, 2);
  write_run(folder / "two", 5, 2);
  const Json runs = comparison_document({folder / "one", folder / "two/"}).at("runs");
  EXPECT_EQ(runs[0].at("name"), "one");
  EXPECT_EQ(runs[1].at("name"), "two");
  const Json& result = runs[0].at("result");
  EXPECT_FALSE(result.contains("network"));
  EXPECT_EQ(result.at("options"), Json::parse(R"({"data": "x.npy"})"));
  EXPECT_EQ(result.at("nodes"), 5);
  EXPECT_EQ(result.at("assessment"), Json::parse(R"({"weaknesses": ["the answer is weak"]})"));
  EXPECT_TRUE(result.at("quality").at("per_node").contains("similarity_own"));
  EXPECT_FALSE(result.at("quality").at("per_node").contains("local"));
  EXPECT_EQ(runs[0].at("metrics").size(), 10u);
}

}  // namespace
}  // namespace choir
