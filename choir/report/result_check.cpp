#include "choir/report/result_check.h"

#include <algorithm>

#include "choir/base/error.h"

namespace choir {
namespace {

using Json = nlohmann::ordered_json;

struct Kind {
  const char* words;
  bool (*holds)(const Json& value);
};

constexpr Kind text{"text", [](const Json& value) { return value.is_string(); }};
constexpr Kind number{"a number", [](const Json& value) { return value.is_number(); }};
constexpr Kind list{"a list", [](const Json& value) { return value.is_array(); }};
constexpr Kind object{"an object", [](const Json& value) { return value.is_object(); }};
constexpr Kind list_of_lists{"a list of lists", [](const Json& value) {
                               return value.is_array() &&
                                      std::all_of(value.begin(), value.end(),
                                                  [](const Json& row) { return row.is_array(); });
                             }};

struct Expected {
  const char* key;  // a JSON pointer
  Kind kind;
};

constexpr Expected expected[] = {
    {"/method", text},
    {"/engine", text},
    {"/nodes", number},
    {"/samples", number},
    {"/features", number},
    {"/n_components", number},
    {"/iterations", number},
    {"/residual", number},
    {"/eigenvalues", list},
    {"/explained_variance_ratio", list},
    {"/quality", object},
    {"/quality/per_node", object},
    {"/ledger", object},
    {"/ledger/messages", number},
    {"/ledger/bytes", number},
    {"/ledger/by_kind", object},
    {"/time", object},
    {"/memory_peak_bytes", number},
    {"/notes", list},
    {"/network", object},
    {"/network/nodes", number},
    {"/network/links", list_of_lists},
    {"/network/groups", list},
    {"/network/sent", list},
    {"/embedded_samples", object},
    {"/confusion", object},
    {"/confusion/rows", list},
    {"/confusion/columns", list},
    {"/confusion/counts", list_of_lists},
    {"/sent_by_kind", object},
};

}  // namespace

void check_result(const Json& result, const std::string& source) {
  if (!result.is_object() || !result.contains("method")) {
    fail(ErrorCategory::BadData, "{} is not the summary of a choir run", source);
  }
  for (const auto& [key, kind] : expected) {
    const Json::json_pointer place(key);
    if (!result.contains(place) || result.at(place).is_null() || kind.holds(result.at(place))) continue;
    fail(ErrorCategory::BadData, "{} is not as choir fit writes it: {} should be {}", source, key + 1,
         kind.words);
  }
}

}  // namespace choir
