#include "choir/report/run_document.h"

#include <fstream>
#include <map>
#include <set>

#include "codec/support.h"
#include "graph/expect_error.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "choir/base/types.h"

namespace choir {
namespace {

using testing::expect_error;
using Json = nlohmann::ordered_json;

void write(const std::filesystem::path& path, const std::string& text) { std::ofstream(path) << text; }

Json lines(Index nodes, Index iterations) {
  Json list = Json::array();
  for (Index iteration = 0; iteration < iterations; ++iteration) {
    for (Index node = 0; node < nodes; ++node) list.push_back({{"node", node}, {"iteration", iteration}});
  }
  return list;
}

TEST(RunDocument, IsTheSummaryAndTheMetrics) {
  const TemporaryFolder folder;
  write(folder / "result.json", R"({"method": "gossip-pca", "nodes": 2})");
  write(folder / "metrics.jsonl", "{\"node\": 0}\n\n{\"node\": 1}\n");
  const Json document = run_document(folder.path());
  EXPECT_EQ(document.at("result").at("method"), "gossip-pca");
  EXPECT_EQ(document.at("metrics"), Json::parse(R"([{"node": 0}, {"node": 1}])"));
  EXPECT_FALSE(document.contains("metrics_shown"));
  const Json both = comparison_document({folder.path(), folder.path()});
  ASSERT_EQ(both.at("runs").size(), 2u);
  EXPECT_EQ(both.at("runs")[1].at("result"), document.at("result"));
}

TEST(RunDocument, NamesWhatIsNoRun) {
  const TemporaryFolder folder;
  expect_error(ErrorCategory::BadData, {"result.json", "choir fit"}, [&] { run_document(folder.path()); });
  write(folder / "result.json", "[1, 2]");
  expect_error(ErrorCategory::BadData, {"result.json"}, [&] { run_document(folder.path()); });
  write(folder / "result.json", "{\"method\"");
  expect_error(ErrorCategory::BadData, {"result.json", "damaged"}, [&] { run_document(folder.path()); });
  write(folder / "result.json", R"({"method": "x"})");
  write(folder / "metrics.jsonl", "{}\n{\n");
  expect_error(ErrorCategory::BadData, {"metrics.jsonl line 2"}, [&] { run_document(folder.path()); });
}

TEST(RunDocument, ThinsLongMetrics) {
  EXPECT_EQ(thinned(lines(4, 10), 40), lines(4, 10));
  Json many = lines(100, 1000);
  many.push_back({{"stage", "end"}});
  const Json few = thinned(std::move(many), 5000);
  EXPECT_LE(few.size(), 5001u);
  EXPECT_GT(few.size(), 3000u);
  std::set<Index> nodes;
  std::set<Index> iterations;
  for (const Json& line : few) {
    if (!line.contains("node")) continue;
    nodes.insert(line.at("node").get<Index>());
    iterations.insert(line.at("iteration").get<Index>());
  }
  EXPECT_EQ(nodes.size(), 100u);
  EXPECT_EQ(*iterations.begin(), 0);
  EXPECT_EQ(*iterations.rbegin(), 999) << "the end is what people look at";
  EXPECT_EQ(few.back(), Json::parse(R"({"stage": "end"})"));
}

TEST(RunDocument, ThinsNodesWhereThereAreTooMany) {
  const Json few = thinned(lines(10000, 20), 1000);
  EXPECT_LE(few.size(), 1000u);
  EXPECT_GT(few.size(), 500u);
  std::map<Index, std::set<Index>> iterations;
  for (const Json& line : few) iterations[line.at("node")].insert(line.at("iteration").get<Index>());
  EXPECT_GT(iterations.size(), 50u);
  for (const auto& [node, seen] : iterations) EXPECT_GE(seen.size(), 12u) << "node " << node;
}

}  // namespace
}  // namespace choir
