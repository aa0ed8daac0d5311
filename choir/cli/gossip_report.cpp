#include "choir/cli/gossip_report.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "choir/runtime/kind.h"

namespace choir::cli {
namespace {

Json numbers_of(const GossipPca& fit) {
  Json history = Json::array();
  for (const GossipWindow& window : fit.history) {
    history.push_back({window.sent, window.change, window.gap});
  }
  return {{"node", fit.node},
          {"converged", fit.converged},
          {"change", fit.change},
          {"gap", fit.gap},
          {"between_node_variance", fit.between_node_variance},
          {"eigenvalues", list_of(fit.variances * fit.total_weight)},
          {"explained_variance_ratio", list_of(fit.variances / fit.total_variance)},
          {"participants", fit.participants},
          {"weight", fit.weight},
          {"sent", fit.counts.sent},
          {"gamma", fit.map ? fit.map->kernel.gamma : 0},
          {"seconds", fit.seconds},
          {"merge_s", fit.merge_seconds},
          {"notes", fit.notes},
          {"history", std::move(history)}};
}

// How many nodes' samples the nodes have in their answers; a sentence if it differs.
void describe_participants(const std::vector<Json>& nodes, RunResult& result) {
  const auto fewer = [](const Json& a, const Json& b) {
    return a.at("participants").get<Index>() < b.at("participants").get<Index>();
  };
  const auto [fewest, most] = std::minmax_element(nodes.begin(), nodes.end(), fewer);
  const auto smallest = fewest->at("participants").get<Index>();
  const auto largest = most->at("participants").get<Index>();
  result.extra["participants"] = {{"smallest", smallest}, {"largest", largest}, {"nodes", result.nodes}};
  if (smallest == largest) return;
  result.notes.push_back(fmt::format(
      "the nodes' answers are made of the data of different numbers of nodes: {} at node {}, {} at node {}; "
      "a part of the network was out of reach, or --messages-per-node is too small",
      smallest, fewest->at("node").get<Index>(), largest, most->at("node").get<Index>()));
}

std::string quality_words(const RunResult& result) {
  if (result.quality_numbers.empty()) return {};
  const auto of = [&](const char* name) { return result.quality_numbers.at(name); };
  // Infinite: data of no higher rank than the components, which could have been described without an error.
  const double excess = of("excess_error");
  const double best = std::isfinite(excess) ? of("error_relative") / (1 + excess) : 0;
  const bool has_mean = result.quality_numbers.count("mean_error") > 0;
  return fmt::format(
      "\n\nagainst PCA of all data in one place:\nerror of the covariance {:.4e}, where the best of {} "
      "components has {:.4e}\n{}smallest cosine to the central subspace {:.6f}",
      of("error_relative"), result.n_components, best,
      has_mean ? fmt::format("error of the mean {:.1e}, ", of("mean_error")) : "", of("subspace_cosine_min"));
}

std::string ending_words(const RunResult& result) {
  const std::string messages =
      fmt::format("{:.1f} messages a node (mean)", result.extra.at("messages_per_node").get<double>());
  if (!result.converged) return messages + ", a run of fixed length";
  return fmt::format("{} after {}", *result.converged ? "settled" : "NOT settled", messages);
}

}  // namespace

Json numbers_of(const GossipPcaFit& fit) {
  Json nodes = Json::array();
  for (const auto& node : fit.nodes) {
    if (node) nodes.push_back(numbers_of(*node));
  }
  return nodes;
}

void summarise_gossip(const std::vector<Json>& nodes, std::optional<double> whole_weight, RunResult& result) {
  const Json& first = nodes.front();
  const auto count = static_cast<double>(nodes.size());
  result.eigenvalues = vector_of(first.at("eigenvalues"));
  result.explained_variance_ratio = vector_of(first.at("explained_variance_ratio"));
  result.n_components = result.eigenvalues.size();
  result.between_node_variance = first.at("between_node_variance").get<double>();
  const auto settled = [](const Json& node) { return node.at("converged").get<bool>(); };
  const bool alone = result.nodes == 1;  // and knows all there is to know
  result.converged = alone || std::all_of(nodes.begin(), nodes.end(), settled);
  if (!alone) result.change = largest(nodes, "change");
  result.iterations = static_cast<Index>(largest(nodes, "sent"));
  result.iterate_seconds = largest(nodes, "seconds");
  result.extra["gap"] = largest(nodes, "gap");
  result.extra["messages_per_node"] = total(nodes, "sent") / count;
  result.extra["mass"] = whole_weight ? Json(total(nodes, "weight") / *whole_weight) : Json(nullptr);
  result.extra["merge_share"] = total(nodes, "merge_s") / std::max(total(nodes, "seconds"), 1e-9);
  describe_participants(nodes, result);
  add_similar_notes(nodes, result);
}

void describe_quality(const GossipQuality& quality, Division division, RunResult& result) {
  result.quality_numbers["error_relative"] = quality.error_relative;
  result.quality_numbers["excess_error"] = quality.excess_error;
  // The mean of coordinates is each node's own affair.
  if (division == Division::samples) result.quality_numbers["mean_error"] = quality.mean_error;
  result.quality_numbers["subspace_cosine_min"] = quality.subspace_cosine_min;
}

void count_tree_messages(RunResult& result) {
  const auto statistics = result.ledger.find(std::string(to_string(Kind::statistics)));
  const double messages =
      statistics == result.ledger.end() ? 0 : static_cast<double>(statistics->second.messages);
  result.extra["messages_per_node"] = messages / static_cast<double>(result.nodes);
}

std::vector<Json> window_lines(const Json& node, std::span<const double> error) {
  std::vector<Json> lines;
  if (!error.empty())
    lines.push_back({{"node", node.at("node")}, {"window", 0}, {"sent", 0}, {"error", error[0]}});
  std::size_t number = 0;
  for (const Json& window : node.at("history")) {
    lines.push_back({{"node", node.at("node")},
                     {"window", ++number},
                     {"sent", window.at(0)},
                     {"change", window.at(1)},
                     {"gap", window.at(2)}});
    if (number < error.size()) lines.back()["error"] = error[number];
  }
  return lines;
}

std::string gossip_table(const RunResult& result) {
  return fmt::format("{}{}\n\n{}\n{}", eigenvalue_table(result), quality_words(result), sent_words(result),
                     ending_words(result));
}

}  // namespace choir::cli
