#include "choir/cli/federated_report.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "choir/base/text.h"
#include "choir/metrics/clustering.h"

namespace choir::cli {
namespace {

Json numbers_of(const FederatedRound& round) {
  return {{"what", round.what},
          {"answered", round.answered},
          {"silent", round.silent.size()},
          {"silent_devices", round.silent},
          {"refused", round.refused},
          {"samples", round.samples},
          {"attempts", round.attempts}};
}

// [label, cluster, samples], for every pair that occurs.
Json meetings(std::span<const std::int64_t> truth, std::span<const std::int64_t> clusters) {
  std::map<std::pair<std::int64_t, std::int64_t>, Index> counts;
  for (std::size_t i = 0; i < truth.size(); ++i) ++counts[{truth[i], clusters[i]}];
  Json list = Json::array();
  for (const auto& [pair, count] : counts) list.push_back({pair.first, pair.second, count});
  return list;
}

// Of a node's own samples in each cluster. What the model says is the coordinator's estimate of all.
Json label_counts(const FederatedKmeans& fit) {
  std::vector<Index> counts(static_cast<std::size_t>(fit.model.counts.size()), 0);
  for (const std::int64_t label : fit.labels) ++counts[static_cast<std::size_t>(label)];
  return counts;
}

// Of the samples of all devices that have labels.
std::vector<Index> cluster_sizes(const std::vector<Json>& nodes) {
  std::vector<Index> sizes(nodes.front().at("label_counts").size(), 0);
  for (const Json& node : nodes) {
    const auto own = node.at("label_counts").get<std::vector<Index>>();
    std::transform(sizes.begin(), sizes.end(), own.begin(), sizes.begin(), std::plus<>());
  }
  return sizes;
}

Json numbers_of(const FederatedKmeans& fit) {
  Json rounds = Json::array();
  for (const FederatedRound& round : fit.rounds) rounds.push_back(numbers_of(round));
  return {{"node", fit.node},
          {"samples", fit.labels.size()},
          {"gamma", fit.model.kernel.gamma},
          {"label_counts", label_counts(fit)},
          {"dimension", fit.model.dimension()},
          {"inertia", fit.inertia},
          {"iterations", fit.iterations},
          {"converged", fit.converged},
          {"change", fit.change ? Json(*fit.change) : Json(nullptr)},
          {"route", to_string(fit.route)},
          {"route_words", fit.route_words},
          {"rounds", rounds},
          {"seconds", fit.seconds},
          {"notes", fit.notes}};
}

// The node that knows what was asked and answered: the server, or the first of all.
const Json& coordinator_of(const std::vector<Json>& nodes) {
  const auto found =
      std::find_if(nodes.begin(), nodes.end(), [](const Json& node) { return !node.at("rounds").empty(); });
  return found == nodes.end() ? nodes.front() : *found;
}

Json most(const Json& rounds, const char* key) {
  Index largest = 0;
  for (const Json& round : rounds) largest = std::max(largest, round.at(key).get<Index>());
  return largest;
}

Json silence(NodeId device, std::size_t first, std::size_t last) {
  const bool once = first == last;
  const std::string words = fmt::format(
      "Device {} was silent in {}, which {} done without it.", device,
      once ? fmt::format("sum {}", first) : fmt::format("sums {} to {}", first, last), once ? "was" : "were");
  Json fault = {{"at", first}, {"unit", "round"}, {"node", device}, {"what", "silent"}, {"words", words}};
  if (!once) fault["until"] = last;
  return fault;
}

// One entry however many sums in a row a device was silent in. Sums are counted from 1, as in metrics.jsonl.
Json silences(const Json& rounds) {
  std::map<NodeId, std::size_t> silent_since;
  std::vector<Json> faults;
  for (std::size_t sum = 1; sum <= rounds.size() + 1; ++sum) {
    std::set<NodeId> silent;
    if (sum <= rounds.size()) silent = rounds[sum - 1].at("silent_devices").get<std::set<NodeId>>();
    std::erase_if(silent_since, [&](const auto& entry) {
      const auto& [device, since] = entry;
      if (silent.contains(device)) return false;
      faults.push_back(silence(device, since, sum - 1));
      return true;
    });
    for (const NodeId device : silent) silent_since.emplace(device, sum);
  }
  std::ranges::stable_sort(faults, {}, [](const Json& fault) { return fault.at("at").get<std::size_t>(); });
  return faults;
}

std::string truth_words(const RunResult& result) {
  const auto nmi = result.quality_numbers.find("nmi");
  if (nmi == result.quality_numbers.end()) return {};
  return fmt::format(
      "against the labels: mutual information {:.4f}, adjusted Rand index {:.4f}, accuracy {:.4f}\n",
      nmi->second, result.quality_numbers.at("ari"), result.quality_numbers.at("accuracy"));
}

std::string cost_words(const RunResult& result) {
  const auto ratio = result.quality_numbers.find("cost_ratio");
  if (ratio == result.quality_numbers.end()) return {};
  return fmt::format("against kernel k-means of all samples in one place: {:.5f} of its cost\n",
                     ratio->second);
}

std::string answer_words(const RunResult& result) {
  const Json& extra = result.extra;
  if (!extra.contains("sent_by_devices")) return "no server; ";
  std::string words = fmt::format("{} sums, {}; ", extra.at("sums").get<Index>(),
                                  extra.at("masked").get<bool>() ? "masked" : "not masked");
  if (const auto silent = extra.at("most_silent").get<Index>(); silent > 0) {
    words += fmt::format("up to {} devices silent; ", silent);
  }
  if (const auto refused = extra.at("most_refused").get<Index>(); refused > 0) {
    words += fmt::format("{} refused; ", refused);
  }
  return words;
}

std::map<std::string, KindCount> counts_of(const Json& by_kind) {
  std::map<std::string, KindCount> counts;
  for (const auto& [kind, count] : by_kind.items()) {
    counts[kind] = {.messages = count.at("messages").get<std::uint64_t>(),
                    .bytes = count.at("bytes").get<std::uint64_t>()};
  }
  return counts;
}

std::string traffic_words(const RunResult& result) {
  if (!result.extra.contains("sent_by_devices")) return sent_words(result);
  return sent_words(counts_of(result.extra.at("sent_by_devices")), result.nodes, "device") +
         fmt::format("; by the server {}",
                     human_bytes(result.extra.at("sent_by_server").at("bytes").get<double>()));
}

}  // namespace

Json numbers_of(const FederatedKmeansFit& fit, const DeviceTruth& truth) {
  Json nodes = Json::array();
  for (const auto& node : fit.nodes) {
    if (!node) continue;
    nodes.push_back(numbers_of(*node));
    const auto place = static_cast<std::size_t>(node->node - truth.first);
    if (place >= truth.labels.size() || truth.labels[place].empty()) continue;
    nodes.back()["meetings"] = meetings(truth.labels[place], node->labels);
  }
  return nodes;
}

void summarise_federated(const std::vector<Json>& nodes, const FederatedKmeansOptions& method,
                         RunResult& result) {
  const Json& coordinator = coordinator_of(nodes);
  const Json& rounds = coordinator.at("rounds");
  result.iterations = coordinator.at("iterations").get<Index>();
  result.converged = coordinator.at("converged").get<bool>();
  if (const Json& change = coordinator.at("change"); !change.is_null()) result.change = change.get<double>();
  result.iterate_seconds = largest(nodes, "seconds");
  result.extra["embedding"] = to_string(method.embedding);
  result.extra["coordination"] = to_string(method.coordination);
  result.extra["masked"] = method.masked;
  result.extra["clusters"] = method.clusters;
  result.extra["dimension"] = coordinator.at("dimension");
  result.extra["eigen_route"] = coordinator.at("route");
  result.extra["eigen_route_words"] = coordinator.at("route_words");
  result.extra["cluster_sizes"] = cluster_sizes(nodes);
  result.extra["inertia"] = coordinator.at("inertia");
  result.extra["sums"] = rounds.size();
  result.extra["most_silent"] = most(rounds, "silent");
  result.extra["most_refused"] = most(rounds, "refused");
  for (Json& fault : silences(rounds)) result.extra["faults"].push_back(std::move(fault));
  add_similar_notes(nodes, result);
}

void describe_truth(const std::vector<Json>& nodes, RunResult& result) {
  std::vector<std::int64_t> truth;
  std::vector<std::int64_t> clusters;
  for (const Json& node : nodes) {
    if (!node.contains("meetings")) continue;
    for (const Json& meeting : node.at("meetings")) {
      const auto count = meeting.at(2).get<std::size_t>();
      truth.insert(truth.end(), count, meeting.at(0).get<std::int64_t>());
      clusters.insert(clusters.end(), count, meeting.at(1).get<std::int64_t>());
    }
  }
  if (truth.empty()) return;
  result.quality_numbers["nmi"] = normalized_mutual_info(truth, clusters);
  result.quality_numbers["ari"] = adjusted_rand_index(truth, clusters);
  result.quality_numbers["accuracy"] = clustering_accuracy(truth, clusters);
}

void describe_traffic(const Ledger& ledger, Index devices, RunResult& result) {
  if (ledger.nodes() == devices) return;
  const auto server = static_cast<NodeId>(devices);
  Json by_kind = Json::object();
  for (const Kind kind : ledger.kinds().list()) {
    const Traffic all = ledger.total(kind);
    const Traffic server_own = ledger.sent_by(server, kind);
    by_kind[std::string(to_string(kind))] = {{"messages", all.messages - server_own.messages},
                                             {"bytes", all.bytes - server_own.bytes}};
  }
  const Traffic by_server = ledger.sent_by(server);
  result.extra["sent_by_devices"] = by_kind;
  result.extra["sent_by_server"] = {{"messages", by_server.messages}, {"bytes", by_server.bytes}};
}

std::vector<Json> round_lines(const std::vector<Json>& nodes) {
  std::vector<Json> lines;
  for (const Json& round : coordinator_of(nodes).at("rounds")) {
    Json line = {{"round", lines.size() + 1}};
    line.update(round);
    line.erase("silent_devices");
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string federated_table(const RunResult& result) {
  const auto sizes = result.extra.at("cluster_sizes").get<std::vector<Index>>();
  return fmt::format("{} clusters of {} samples; inertia {:.6g}\n{}{}{}{} after {} iterations\n{}",
                     sizes.size(), fmt::join(sizes, ", "), result.extra.at("inertia").get<double>(),
                     truth_words(result), cost_words(result), answer_words(result),
                     result.converged.value_or(false) ? "converged" : "NOT converged", result.iterations,
                     traffic_words(result));
}

}  // namespace choir::cli
