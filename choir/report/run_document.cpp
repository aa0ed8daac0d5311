#include "choir/report/run_document.h"

#include <algorithm>
#include <string>
#include <utility>

#include "choir/base/error.h"
#include "choir/report/json_file.h"
#include "choir/report/page_metrics.h"
#include "choir/report/result_check.h"
#include "choir/report/run_names.h"

namespace choir {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// A page stays below 3 MB, 0.7 of which are its script. Ten thousand nodes may take more, and the page must
// still show what they recorded.
constexpr std::size_t most_bytes = 2'000'000;
constexpr std::size_t most_bytes_of_metrics = 1'500'000;
constexpr std::size_t fewest_bytes_of_metrics = 500'000;

// The keys that the page of runs side by side reads, and the keys of quality.per_node that it does not read.
constexpr const char* compared[] = {"method",
                                    "engine",
                                    "nodes",
                                    "samples",
                                    "features",
                                    "n_components",
                                    "converged",
                                    "iterations",
                                    "products",
                                    "options",
                                    "resolved",
                                    "confusion",
                                    "residual",
                                    "quality",
                                    "assessment",
                                    "ledger",
                                    "explained_variance_ratio",
                                    "time",
                                    "coordination",
                                    "memory_peak_bytes",
                                    "sent_by_devices",
                                    "masked",
                                    "sent_by_server",
                                    "use",
                                    "classes",
                                    "clusters",
                                    "raw_equivalent"};
constexpr const char* compared_by_mean[] = {"local", "gather_own", "gather_neighborhood", "oracle",
                                            "oracle_neighborhood"};

Json result_of(const fs::path& run) {
  const fs::path summary = run / "result.json";
  if (!fs::exists(summary)) {
    fail(ErrorCategory::BadData, "{} has no result.json; name the folder that choir fit wrote", run.string());
  }
  Json result = parsed(file_text(summary), summary.string());
  check_result(result, summary.string());
  return result;
}

Json what_is_compared(const Json& result) {
  Json kept = Json::object();
  for (const char* key : compared) {
    if (result.contains(key)) kept[key] = result.at(key);
  }
  if (kept.contains("quality") && kept["quality"].contains("per_node")) {
    for (const char* name : compared_by_mean) kept["quality"]["per_node"].erase(name);
  }
  return kept;
}

// runs: how many share the page.
Json with_metrics(Json result, const fs::path& run, std::size_t runs) {
  const std::size_t taken = std::min(result.dump().size(), most_bytes / runs);
  const std::size_t room =
      std::clamp(most_bytes / runs - taken, fewest_bytes_of_metrics / runs, most_bytes_of_metrics / runs);
  PageMetrics metrics = page_metrics(run / "metrics.jsonl", room);
  const std::size_t shown = metrics.lines.size();
  Json document = {{"result", std::move(result)}, {"metrics", std::move(metrics.lines)}};
  if (shown < metrics.recorded) document["metrics_shown"] = {{"lines", shown}, {"of", metrics.recorded}};
  if (metrics.last_line_lost) document["metrics_cut"] = true;
  return document;
}

}  // namespace

Json run_document(const fs::path& run, const std::string& name) {
  Json document = {{"name", name.empty() ? run_names({run}).front() : name}};
  document.update(with_metrics(result_of(run), run, 1));
  return document;
}

bool shows_samples(const Json& document) {
  return document.contains("result") && document.at("result").contains("embedded_samples");
}

Json comparison_document(const std::vector<fs::path>& runs) {
  const std::vector<std::string> names = run_names(runs);
  Json documents = Json::array();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    Json document = {{"name", names[i]}};
    document.update(with_metrics(what_is_compared(result_of(runs[i])), runs[i], runs.size()));
    documents.push_back(std::move(document));
  }
  return {{"runs", std::move(documents)}};
}

}  // namespace choir
