#include "choir/run/result_json.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace choir {
namespace {

Result example() {
  Result result;
  result.choir_version = "0.1.0";
  result.method = "local-kpca";
  result.nodes = 2;
  result.n_components = 2;
  result.eigenvalues = Vector::Constant(2, 3.5);
  result.quality["local"] = (Matrix(2, 2) << 0.8, 0.6, 0.9, 0.7).finished();
  result.ledger[Kind::raw_samples] = {.messages = 4, .bytes = 100};
  result.ledger[Kind::control] = {.messages = 1, .bytes = 10};
  result.facts.set("nmi", 0.5);
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
  Result result = example();
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  result.quality["local"] = (Matrix(3, 2) << 0.8, nothing, nothing, nothing, 0.9, nothing).finished();
  const auto json = to_json(result)["quality"];
  EXPECT_DOUBLE_EQ(json["local"][0], 0.85);
  EXPECT_TRUE(json["local"][1].is_null());
  EXPECT_TRUE(json["per_node"]["local"][1][0].is_null());
}

TEST(Result, QualityOfTheWholeNetworkIsANumber) {
  Result result = example();
  result.quality_numbers["subspace_cosine_min"] = 0.97;
  EXPECT_EQ(to_json(result)["quality"]["subspace_cosine_min"], 0.97);
  EXPECT_FALSE(to_json(result)["quality"]["per_node"].contains("subspace_cosine_min"));
}

TEST(Result, OnlyAMethodThatStopsByItHasAChange) {
  Result result = example();
  EXPECT_FALSE(to_json(result).contains("change"));
  result.change = 0.004;
  EXPECT_EQ(to_json(result)["change"], 0.004);
}

TEST(Result, OnlyARunUnderDifferentialPrivacyHasAPromise) {
  Result result = example();
  EXPECT_FALSE(to_json(result).contains("privacy"));
  result.privacy = PrivacyReport{.asked = {.epsilon = 2.0, .delta = 1e-5},
                                 .releases = {{.what = "sums", .sensitivity = 3, .rho = 0.5},
                                              {.what = "counts", .sensitivity = 1, .rho = 0.125}},
                                 .left_out = {"captured variance"},
                                 .limitations = {"timing"}};
  const auto json = to_json(result)["privacy"];
  EXPECT_EQ(json["epsilon"], 2);
  EXPECT_EQ(json["delta"], 1e-5);
  EXPECT_TRUE(json["clip"].is_null());
  EXPECT_EQ(json["relation"], "replace one sample");
  EXPECT_EQ(json["rho"], 0.625);
  EXPECT_EQ(json["releases"][0].dump(), R"({"what":"sums","sensitivity":3.0,"sigma":3.0,"rho":0.5})");
  EXPECT_EQ(json["releases"][1]["sigma"], 2);
  EXPECT_EQ(json["left_out"][0], "captured variance");
  EXPECT_EQ(json["not_covered"][0], "timing");
  result.privacy->asked.clip = 1.5;
  EXPECT_EQ(to_json(result)["privacy"]["clip"], 1.5);
}

TEST(Result, TheLedgerAddsUp) {
  const auto json = to_json(example());
  EXPECT_EQ(json["ledger"]["messages"], 5);
  EXPECT_EQ(json["ledger"]["bytes"], 110);
  EXPECT_EQ(json["ledger"]["by_kind"]["raw_samples"]["bytes"], 100);
}

TEST(Result, OnlyASimulatedNetworkHasVirtualTime) {
  Result result = example();
  EXPECT_FALSE(to_json(result)["time"].contains("virtual_s"));
  result.virtual_seconds = 0.25;
  EXPECT_EQ(to_json(result)["time"]["virtual_s"], 0.25);
}

TEST(Result, ConvergedIsNullForARunOfFixedLength) {
  Result result = example();
  EXPECT_TRUE(to_json(result)["converged"].is_null());
  result.converged = false;
  EXPECT_EQ(to_json(result)["converged"], false);
}

TEST(Result, FactsKeepTheirTypesAndTheirOrder) {
  Facts facts;
  facts.set("b", true).set("a", 3).set("x", 0.5).set("nothing", std::optional<double>());
  facts.set("list", std::vector<Index>{1, 2}).set("inner", Facts().set("y", "z")).set("nan", std::nan(""));
  EXPECT_EQ(to_json(facts).dump(),
            R"({"b":true,"a":3,"x":0.5,"nothing":null,"list":[1,2],"inner":{"y":"z"},"nan":null})");
}

TEST(Result, SimilarNotesAreSaidOnce) {
  Result result;
  add_similar_notes({{"change 0.5 at the end"}, {"change 0.7 at the end"}, {"something else"}}, result);
  ASSERT_EQ(result.notes.size(), 2u);
  EXPECT_EQ(result.notes[0], "change 0.5 at the end; 1 other node says so with other numbers");
}

TEST(JsonText, IsUnicodeWhateverTheBytes) {
  EXPECT_EQ(readable("d\xc3\xa9 \"x\"\n"), "d\xc3\xa9 \"x\"\n");
  EXPECT_EQ(readable("d\xe9.csv"), "d\xef\xbf\xbd.csv");
  const nlohmann::ordered_json about = {{"file", "d\xe9.csv"}, {"rows", 3}};
  EXPECT_EQ(json_text(about), "{\"file\":\"d\xef\xbf\xbd.csv\",\"rows\":3}");
  EXPECT_EQ(json_text(nlohmann::ordered_json{{"rows", 3}}, 1), "{\n \"rows\": 3\n}");
}

}  // namespace
}  // namespace choir
