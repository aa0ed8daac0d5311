#include "choir/report/result.h"

#include <cmath>
#include <limits>

namespace choir {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no NaN.
Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

template <class Values>
Json list(const Values& values) {
  Json array = Json::array();
  for (const double value : values) array.push_back(number_or_null(value));
  return array;
}

template <class Value>
Json optional(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json quality_json(const RunResult& result) {
  Json json = Json::object();
  Json per_node = Json::object();
  for (const auto& [name, values] : result.quality) {
    json[name] = list(mean_over_nodes(values));
    Json rows = Json::array();
    for (Index node = 0; node < values.rows(); ++node) rows.push_back(list(Vector(values.row(node))));
    per_node[name] = std::move(rows);
  }
  for (const auto& [name, value] : result.quality_numbers) json[name] = number_or_null(value);
  if (!result.quality.empty()) json["per_node"] = std::move(per_node);
  return json;
}

Json ledger_json(const std::map<std::string, KindCount>& ledger) {
  KindCount total;
  Json kinds = Json::object();
  for (const auto& [kind, count] : ledger) {
    kinds[kind] = {{"messages", count.messages}, {"bytes", count.bytes}};
    total.messages += count.messages;
    total.bytes += count.bytes;
  }
  return {{"messages", total.messages}, {"bytes", total.bytes}, {"by_kind", std::move(kinds)}};
}

}  // namespace

Vector mean_over_nodes(const Matrix& values) {
  Vector means(values.cols());
  for (Index d = 0; d < values.cols(); ++d) {
    double sum = 0;
    Index count = 0;
    for (const double value : values.col(d)) {
      if (!std::isfinite(value)) continue;
      sum += value;
      ++count;
    }
    means(d) = count > 0 ? sum / static_cast<double>(count) : std::numeric_limits<double>::quiet_NaN();
  }
  return means;
}

Json to_json(const RunResult& result) {
  Json json = {{"choir", result.choir_version},
               {"method", result.method},
               {"engine", result.engine},
               {"random_state", result.random_state},
               {"nodes", result.nodes},
               {"samples", result.samples},
               {"features", result.features},
               {"n_components", result.n_components},
               {"converged", optional(result.converged)},
               {"iterations", result.iterations},
               {"residual", optional(result.residual)},
               {"consensus_gap", list(result.consensus_gap)},
               {"between_node_variance", optional(result.between_node_variance)},
               {"eigenvalues", list(result.eigenvalues)},
               {"explained_variance_ratio", list(result.explained_variance_ratio)},
               {"quality", quality_json(result)},
               {"ledger", ledger_json(result.ledger)},
               {"time",
                {{"setup_s", result.setup_seconds},
                 {"iterate_s", result.iterate_seconds},
                 {"total_s", result.total_seconds}}},
               {"memory_peak_bytes", result.memory_peak_bytes},
               {"notes", result.notes}};
  if (result.change) json["change"] = *result.change;
  if (result.virtual_seconds) json["time"]["virtual_s"] = *result.virtual_seconds;
  json.update(result.extra);
  return json;
}

}  // namespace choir
