#include "choir/report/page_metrics.h"

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

void write_text(const std::filesystem::path& path, const std::string& text) { std::ofstream(path) << text; }

Json lines(Index nodes, Index iterations) {
  Json list = Json::array();
  for (Index iteration = 0; iteration < iterations; ++iteration) {
    for (Index node = 0; node < nodes; ++node) list.push_back({{"node", node}, {"iteration", iteration}});
  }
  return list;
}

TEST(PageMetrics, ThinsLongMetrics) {
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

TEST(PageMetrics, ThinsNodesWhereThereAreTooMany) {
  const Json few = thinned(lines(10000, 20), 1000);
  EXPECT_LE(few.size(), 1000u);
  EXPECT_GT(few.size(), 500u);
  std::map<Index, std::set<Index>> iterations;
  for (const Json& line : few) iterations[line.at("node")].insert(line.at("iteration").get<Index>());
  EXPECT_GT(iterations.size(), 50u);
  for (const auto& [node, seen] : iterations) EXPECT_GE(seen.size(), 12u) << "node " << node;
}

TEST(PageMetrics, HasFiveDigits) {
  const TemporaryFolder folder;
  write_text(
      folder / "metrics.jsonl",
      R"({"node": 123456789, "gap": 0.00012345678901234567, "loss": 123456.789, "stage": "a", "error": -1e-300})");
  const PageMetrics metrics = page_metrics(folder / "metrics.jsonl", 1000);
  EXPECT_EQ(metrics.lines.dump(),
            R"([{"node":123456789,"gap":0.00012346,"loss":123460.0,"stage":"a","error":-1e-300}])");
  EXPECT_EQ(page_metrics(folder / "nothing.jsonl", 1000).lines, Json::array());
}

TEST(PageMetrics, TakesNoMoreRoomThanItIsGiven) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 4000; ++i) {
    text +=
        fmt::format("{{\"node\": {}, \"iteration\": {}, \"gap\": {}}}\n", i % 40, i / 40, 1.0 / (3.0 + i));
  }
  write_text(folder / "metrics.jsonl", text);
  const PageMetrics whole = page_metrics(folder / "metrics.jsonl", text.size());
  EXPECT_EQ(whole.lines.size(), 4000u);
  const PageMetrics part = page_metrics(folder / "metrics.jsonl", 50000);
  EXPECT_EQ(part.recorded, 4000u);
  EXPECT_GT(part.lines.dump().size(), 40000u);
  EXPECT_LT(part.lines.dump().size(), 52000u);
}

TEST(PageMetrics, LeavesOutALineWhoseWriterWasStopped) {
  const TemporaryFolder folder;
  write_text(folder / "metrics.jsonl", "{\"node\": 0}\n{\"node\": 1, \"ga");
  const PageMetrics metrics = page_metrics(folder / "metrics.jsonl", 1000);
  EXPECT_EQ(metrics.lines, Json::parse(R"([{"node": 0}])"));
  EXPECT_TRUE(metrics.last_line_lost);
  write_text(folder / "metrics.jsonl", "{\"node\": 0}\n{\"node\": 1}");
  EXPECT_EQ(page_metrics(folder / "metrics.jsonl", 1000).recorded, 2u)
      << "only the end of the line is missing";
  EXPECT_FALSE(page_metrics(folder / "metrics.jsonl", 1000).last_line_lost);
  for (const char* damaged : {"{}\n{\n", "{}\n{\n{}\n", "{}\n{\n{"}) {
    write_text(folder / "metrics.jsonl", damaged);
    expect_error(ErrorCategory::BadData, {"metrics.jsonl line 2"},
                 [&] { page_metrics(folder / "metrics.jsonl", 1000); });
  }
}

}  // namespace
}  // namespace choir
