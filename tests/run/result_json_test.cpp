#include "choir/report/result.h"

#include <limits>

#include <gtest/gtest.h>

namespace choir {
namespace {

RunResult example() {
  RunResult result;
  result.choir_version = "0.1.0";
  result.method = "local-kpca";
  result.nodes = 2;
  result.n_components = 2;
  result.eigenvalues = Vector::Constant(2, 3.5);
  result.quality["local"] = (Matrix(2, 2) << 0.8, 0.6, 0.9, 0.7).finished();
  result.ledger["raw_samples"] = {.messages = 4, .bytes = 100};
  result.ledger["control"] = {.messages = 1, .bytes = 10};
  result.extra["nmi"] = 0.5;
  return result;
}

TEST(Result, HasTheKeysScriptsRelyOn) {
  const auto json = to_json(example());
  for (const char* key :
       {"choir", "method", "engine", "random_state", "nodes", "samples", "features", "n_components",
        "converged", "iterations", "consensus_gap", "between_node_variance", "eigenvalues",
        "explained_variance_ratio", "quality", "ledger", "time", "memory_peak_bytes"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  EXPECT_EQ(json["nmi"], 0.5);
}

TEST(Result, QualityIsAMeanOverNodesAndTheValuesPerNode) {
  const auto json = to_json(example());
  EXPECT_DOUBLE_EQ(json["quality"]["local"][0], 0.85);
  EXPECT_DOUBLE_EQ(json["quality"]["local"][1], 0.65);
  EXPECT_DOUBLE_EQ(json["quality"]["per_node"]["local"][1][0], 0.9);
}

TEST(Result, ANodeWithoutAnAnswerIsNullAndLeftOutOfTheMean) {
  RunResult result = example();
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  result.quality["local"] = (Matrix(3, 2) << 0.8, nothing, nothing, nothing, 0.9, nothing).finished();
  const auto json = to_json(result)["quality"];
  EXPECT_DOUBLE_EQ(json["local"][0], 0.85);
  EXPECT_TRUE(json["local"][1].is_null());
  EXPECT_TRUE(json["per_node"]["local"][1][0].is_null());
}

TEST(Result, QualityOfTheWholeNetworkIsANumber) {
  RunResult result = example();
  result.quality_numbers["subspace_cosine_min"] = 0.97;
  EXPECT_EQ(to_json(result)["quality"]["subspace_cosine_min"], 0.97);
  EXPECT_FALSE(to_json(result)["quality"]["per_node"].contains("subspace_cosine_min"));
}

TEST(Result, OnlyAMethodThatStopsByItHasAChange) {
  RunResult result = example();
  EXPECT_FALSE(to_json(result).contains("change"));
  result.change = 0.004;
  EXPECT_EQ(to_json(result)["change"], 0.004);
}

TEST(Result, TheLedgerAddsUp) {
  const auto json = to_json(example());
  EXPECT_EQ(json["ledger"]["messages"], 5);
  EXPECT_EQ(json["ledger"]["bytes"], 110);
  EXPECT_EQ(json["ledger"]["by_kind"]["raw_samples"]["bytes"], 100);
}

TEST(Result, OnlyASimulatedNetworkHasVirtualTime) {
  RunResult result = example();
  EXPECT_FALSE(to_json(result)["time"].contains("virtual_s"));
  result.virtual_seconds = 0.25;
  EXPECT_EQ(to_json(result)["time"]["virtual_s"], 0.25);
}

TEST(Result, ConvergedIsNullForARunOfFixedLength) {
  RunResult result = example();
  EXPECT_TRUE(to_json(result)["converged"].is_null());
  result.converged = false;
  EXPECT_EQ(to_json(result)["converged"], false);
}

}  // namespace
}  // namespace choir
