#include "choir/report/result_check.h"

#include "graph/expect_error.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

using testing::expect_error;
using Json = nlohmann::ordered_json;

struct Wrong {
  const char* result;
  const char* words;
};

TEST(ResultCheck, NamesAValueOfTheWrongKind) {
  for (const Wrong& wrong :
       {Wrong{R"([1, 2])", "not the summary of a choir run"},
        Wrong{R"({"nodes": 3})", "not the summary of a choir run"},
        Wrong{R"({"method": 3})", "method should be text"},
        Wrong{R"({"method": "x", "nodes": "many"})", "nodes should be a number"},
        Wrong{R"({"method": "x", "quality": [1]})", "quality should be an object"},
        Wrong{R"({"method": "x", "quality": {"per_node": 1}})", "quality/per_node should be an object"},
        Wrong{R"({"method": "x", "notes": "a"})", "notes should be a list"},
        Wrong{R"({"method": "x", "confusion": [[1, 2]]})", "confusion should be an object"},
        Wrong{R"({"method": "x", "confusion": {"rows": 3}})", "confusion/rows should be a list"},
        Wrong{R"({"method": "x", "confusion": {"counts": [1, 2]}})",
              "confusion/counts should be a list of lists"},
        Wrong{R"({"method": "x", "network": {"links": [1, 2]}})",
              "network/links should be a list of lists"}}) {
    expect_error(ErrorCategory::BadData, {"run/result.json", wrong.words},
                 [&] { check_result(Json::parse(wrong.result), "run/result.json"); });
  }
}

TEST(ResultCheck, LetsThroughWhatIsMissingNullOrUnknown) {
  EXPECT_NO_THROW(check_result(Json::parse(R"({"method": "x"})"), "result.json"));
  EXPECT_NO_THROW(check_result(
      Json::parse(R"({"method": "x", "nodes": null, "ledger": null, "quality": {}, "unknown": [{}]})"),
      "result.json"));
}

}  // namespace
}  // namespace choir
