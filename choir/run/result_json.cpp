#include "choir/run/result_json.h"

#include <cmath>
#include <type_traits>

#include <nlohmann/json.hpp>

#include "choir/report/circumstances.h"

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

Json to_json(const Fact& fact) {
  return std::visit(
      [](const auto& value) -> Json {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, std::monostate>) {
          return nullptr;
        } else if constexpr (std::is_same_v<T, double>) {
          return number_or_null(value);
        } else if constexpr (std::is_same_v<T, std::vector<double>>) {
          return list(value);
        } else if constexpr (std::is_same_v<T, Facts>) {
          return choir::to_json(value);
        } else if constexpr (std::is_same_v<T, std::vector<Facts>>) {
          Json array = Json::array();
          for (const Facts& facts : value) array.push_back(choir::to_json(facts));
          return array;
        } else {
          return value;
        }
      },
      fact.value());
}

Json quality_json(const Result& result) {
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

Json assessment_json(const Assessment& assessment) {
  Json groups = Json::array();
  for (const ComponentGroup& group : assessment.unseparated)
    groups.push_back({group.first + 1, group.last + 1});
  return {{"captured_variance", list(assessment.captured_variance)},
          {"total_variance", number_or_null(assessment.total_variance)},
          {"captured_share", assessment.captured_share > 0 ? Json(assessment.captured_share) : Json()},
          {"claimed_similarity", list(assessment.claimed_similarity)},
          {"unseparated", std::move(groups)},
          {"weaknesses", assessment.weaknesses}};
}

Json releases_json(const std::vector<Release>& releases) {
  Json array = Json::array();
  for (const Release& release : releases) {
    array.push_back({{"what", release.what},
                     {"sensitivity", number_or_null(release.sensitivity)},
                     {"sigma", number_or_null(release.sigma())},
                     {"rho", number_or_null(release.rho)}});
  }
  return array;
}

Json privacy_json(const PrivacyReport& report) {
  return {{"epsilon", optional(report.asked.epsilon)},
          {"delta", report.asked.delta},
          {"clip", optional(report.asked.clip)},
          {"relation", "replace one sample"},
          {"rho", report.rho()},
          {"releases", releases_json(report.releases)},
          {"left_out", report.left_out},
          {"not_covered", report.limitations}};
}

Json traffic_json(const std::map<Kind, Traffic>& by_kind) {
  Traffic total;
  Json kinds = Json::object();
  for (const auto& [kind, count] : by_kind) {
    kinds[std::string(to_string(kind))] = {{"messages", count.messages}, {"bytes", count.bytes}};
    total += count;
  }
  return {{"messages", total.messages}, {"bytes", total.bytes}, {"by_kind", std::move(kinds)}};
}

Json losses_json(const std::vector<PeerLoss>& losses) {
  Json array = Json::array();
  for (const PeerLoss& loss : losses) {
    array.push_back(
        {{"node", loss.node}, {"peer", loss.peer}, {"round", loss.round}, {"reason", loss.reason}});
  }
  return array;
}

Json faults_json(const std::vector<Fault>& faults) {
  Json array = Json::array();
  for (const Fault& fault : faults) {
    const auto time = [&](double at) { return fault.in_rounds ? Json(std::llround(at)) : Json(at); };
    Json json = {{"at", time(fault.at)}, {"unit", fault.in_rounds ? "round" : "s"}};
    if (fault.node) json["node"] = *fault.node;
    json["what"] = fault.what;
    json["words"] = fault.words;
    if (fault.until) json["until"] = time(*fault.until);
    array.push_back(std::move(json));
  }
  return array;
}

// {"lost": [messages of node 0, ...], ...}; what never happened is left out.
Json message_faults_json(const std::vector<MessageFaults>& by_node) {
  Json json = Json::object();
  const auto add = [&](const char* name, std::uint64_t MessageFaults::*count) {
    if (std::ranges::all_of(by_node, [&](const MessageFaults& faults) { return faults.*count == 0; })) return;
    for (const MessageFaults& faults : by_node) json[name].push_back(faults.*count);
  };
  add("lost", &MessageFaults::lost);
  add("sent_again", &MessageFaults::sent_again);
  add("repeated", &MessageFaults::repeated);
  add("discarded", &MessageFaults::discarded);
  return json;
}

Json network_json(const NetworkDrawing& network) {
  Json json = {{"nodes", network.nodes}};
  for (const auto& group : network.groups)
    json["groups"].push_back({{"nodes", group.nodes}, {"sent", group.sent}});
  if (network.groups.empty()) json["sent"] = network.sent;
  json["links"] = Json::array();
  for (const auto& link : network.links) json["links"].push_back({link.a, link.b, link.there, link.back});
  return json;
}

// As many components as all have; of a single one the samples are drawn side by side.
Json points_json(const EmbeddingDrawing::Points& points, Index components) {
  Json array = Json::array();
  for (Index n = 0; n < points.coordinates.rows(); ++n) {
    Json point = list(Vector(points.coordinates.row(n).head(components)));
    if (components == 1) point.push_back(n);
    point.push_back(points.labels.empty() ? Json(nullptr) : Json(points.labels[static_cast<std::size_t>(n)]));
    array.push_back(std::move(point));
  }
  return array;
}

Json axes_json(const std::string& axis, Index components) {
  Json axes = Json::array();
  for (Index d = 0; d < components; ++d) axes.push_back(fmt::format("{} {}", axis, d + 1));
  if (components == 1) axes.push_back("sample");
  return axes;
}

Json embedding_json(const EmbeddingDrawing& embedding) {
  Index components = embedding.nodes.front().coordinates.cols();
  for (const auto& points : embedding.nodes) components = std::min(components, points.coordinates.cols());
  Json nodes = Json::array();
  for (const auto& points : embedding.nodes) {
    Json node = {{"node", points.node}};
    if (!points.name.empty()) node["name"] = points.name;
    node["points"] = points_json(points, components);
    nodes.push_back(std::move(node));
  }
  Json json = {{"axes", axes_json(embedding.axis, components)},
               {"labels_are", embedding.has_clusters ? "clusters" : "labels"},
               {"of", embedding.samples},
               {"nodes", std::move(nodes)}};
  if (!embedding.whose.empty()) json["whose"] = embedding.whose;
  return json;
}

// The place of an answer in classes is an integer.
Json cells_json(const DecisionDrawing& decision, const std::vector<double>& values) {
  if (decision.classes.empty()) return list(values);
  return std::vector<std::int64_t>(values.begin(), values.end());
}

Json decision_json(const DecisionDrawing& decision) {
  Json nodes = Json::array();
  for (const auto& cells : decision.nodes)
    nodes.push_back({{"node", cells.node}, {"cells", cells_json(decision, cells.values)}});
  return {{"axes", {"feature 1", "feature 2"}}, {"x", decision.x},       {"y", decision.y},
          {"columns", decision.columns},        {"rows", decision.rows}, {"classes", decision.classes},
          {"nodes", std::move(nodes)}};
}

void add_network(const Result& result, Json& json) {
  json["planned_memory_bytes"] = result.planned_memory_bytes;
  json["lost_peers"] = losses_json(result.lost_peers);
  json["crashed"] = result.crashed;
  json["faults"] = faults_json(result.faults);
  if (!result.message_faults.empty()) json["message_faults"] = message_faults_json(result.message_faults);
  if (result.network) json["network"] = network_json(*result.network);
  json["sent_by_kind"] = Json::object();
  for (const auto& [kind, bytes] : result.sent_by_kind)
    json["sent_by_kind"][std::string(to_string(kind))] = bytes;
}

void add_drawings(const Result& result, Json& json) {
  if (result.embedding) json["embedded_samples"] = embedding_json(*result.embedding);
  if (result.decision) json["decision"] = decision_json(*result.decision);
  if (!result.confusion) return;
  const Confusion& confusion = *result.confusion;
  json["confusion"] = {{"rows", confusion.rows},
                       {"columns", confusion.columns},
                       {"counts", confusion.counts},
                       {"rows_are", confusion.rows_are},
                       {"columns_are", confusion.columns_are}};
}

void add_call(const Result& result, Json& json) {
  const Call& call = result.call;
  json["command"] = call.command;
  json["command_note"] = call.note;
  json["ranks"] = call.ranks;
  json["options"] = Json::object();
  for (const auto& [key, value] : call.options) json["options"][key] = value;
  json["resolved"] = call.resolved;
  json["started"] = call.started;
  json["versions"] = versions(result.choir_version);
}

}  // namespace

Json to_json(const Facts& facts) {
  Json json = Json::object();
  for (const auto& [key, fact] : facts.entries()) json[key] = to_json(fact);
  return json;
}

Json to_json(const Result& result) {
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
               {"ledger", traffic_json(result.ledger)},
               {"between_processes", traffic_json(result.between_processes)},
               {"time",
                {{"setup_s", result.setup_seconds},
                 {"iterate_s", result.iterate_seconds},
                 {"total_s", result.total_seconds}}},
               {"memory_peak_bytes", result.memory_peak_bytes},
               {"notes", result.notes}};
  if (result.assessment) json["assessment"] = assessment_json(*result.assessment);
  if (result.privacy) json["privacy"] = privacy_json(*result.privacy);
  if (result.change) json["change"] = *result.change;
  if (result.virtual_seconds) json["time"]["virtual_s"] = *result.virtual_seconds;
  if (result.has_network) add_network(result, json);
  json.update(to_json(result.facts));
  add_drawings(result, json);
  add_call(result, json);
  return json;
}

std::string json_text(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::string readable(const std::string& bytes) {
  return Json::parse(json_text(Json(bytes))).get<std::string>();
}

}  // namespace choir
