#include "choir/report/result.h"

namespace choir {
namespace {

using Json = nlohmann::ordered_json;

template <class Values>
Json list(const Values& values) {
  Json array = Json::array();
  for (const double value : values) array.push_back(value);
  return array;
}

template <class Value>
Json optional(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json quality_json(const std::map<std::string, Matrix>& quality) {
  Json json = Json::object();
  Json per_node = Json::object();
  for (const auto& [name, values] : quality) {
    json[name] = list(Vector(values.colwise().mean()));
    Json rows = Json::array();
    for (Index node = 0; node < values.rows(); ++node) rows.push_back(list(Vector(values.row(node))));
    per_node[name] = std::move(rows);
  }
  if (!quality.empty()) json["per_node"] = std::move(per_node);
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
               {"quality", quality_json(result.quality)},
               {"ledger", ledger_json(result.ledger)},
               {"time",
                {{"setup_s", result.setup_seconds},
                 {"iterate_s", result.iterate_seconds},
                 {"total_s", result.total_seconds}}},
               {"memory_peak_bytes", result.memory_peak_bytes},
               {"notes", result.notes}};
  if (result.virtual_seconds) json["time"]["virtual_s"] = *result.virtual_seconds;
  json.update(result.extra);
  return json;
}

}  // namespace choir
