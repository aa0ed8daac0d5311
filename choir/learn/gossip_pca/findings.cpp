#include "choir/learn/gossip_pca/findings.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace choir::gossip_pca {
namespace {

constexpr double shortest_time = 1e-9;  // seconds: no division by 0
constexpr double mass_tolerance = 1e-6;

bool counted_twice(const Findings& all) { return all.mass && *all.mass > 1 + mass_tolerance; }
bool lost_weight(const Findings& all) { return all.mass && *all.mass < 1 - mass_tolerance; }
bool all_refined(const Findings& all) { return all.refined == all.answers; }
bool somebody_is_missing(const Findings& all) { return all.fewest.count < all.answers; }

// What a dead node held is gone with it; without one nothing may be missing. A refined answer does not depend
// on the weights that gossip left.
bool weights_are_right(const Findings& all, Index network) {
  if (all_refined(all)) return true;
  return !counted_twice(all) && (!lost_weight(all) || all.answers < network);
}

// What the first node says that has found a weakness by itself.
std::optional<Assessment> doubts_of(const std::vector<NodeFindings>& nodes) {
  const auto doubting = std::ranges::find_if(nodes, [](const NodeFindings& node) {
    return !node.refined && node.assessment && !node.assessment->good();
  });
  return doubting == nodes.end() ? std::nullopt : doubting->assessment;
}

}  // namespace

NodeFindings findings_of(const NodeResult& result) {
  NodeFindings findings{.node = result.node,
                        .converged = result.converged,
                        .change = result.change,
                        .gap = result.gap,
                        .between_node_variance = result.between_node_variance,
                        .eigenvalues = result.variances * result.total_weight,
                        .explained_variance_ratio = result.variances / result.total_variance,
                        .participants = result.participants,
                        .weight = result.weight,
                        .sent = result.counts.sent,
                        .refined = result.refined,
                        .torn = result.torn,
                        .refinement_steps = result.refinement_steps,
                        .assessment = result.assessment,
                        .gamma = result.map ? result.map->kernel.gamma : 0,
                        .seconds = result.seconds,
                        .merge_seconds = result.merge_seconds,
                        .notes = result.notes};
  for (const Window& window : result.history) {
    findings.sent_by.push_back(window.sent);
    findings.changes.push_back(window.change);
    findings.gaps.push_back(window.gap);
  }
  return findings;
}

std::optional<double> whole_weight(const Options& options, Index nodes, Index once) {
  if (options.half_life) return std::nullopt;
  return static_cast<double>(options.schedule == Schedule::tree ? nodes * once : once);
}

Findings summarise(const std::vector<NodeFindings>& nodes, Index network,
                   std::optional<double> weight_of_all) {
  const NodeFindings& first = nodes.front();
  const bool alone = network == 1;  // and knows all there is to know
  Findings all;
  all.eigenvalues = first.eigenvalues;
  all.explained_variance_ratio = first.explained_variance_ratio;
  all.between_node_variance = first.between_node_variance;
  all.answers = static_cast<Index>(nodes.size());
  all.fewest = all.most = {.count = first.participants, .node = first.node};
  double sent = 0;
  double weight = 0;
  double seconds = 0;
  double merge_seconds = 0;
  double change = 0;
  for (const NodeFindings& node : nodes) {
    all.converged = all.converged && (alone || node.converged);
    change = std::max(change, node.change);
    all.gap = std::max(all.gap, node.gap);
    all.messages = std::max(all.messages, static_cast<Index>(node.sent));
    all.seconds = std::max(all.seconds, node.seconds);
    if (node.participants < all.fewest.count) all.fewest = {.count = node.participants, .node = node.node};
    if (node.participants >= all.most.count) all.most = {.count = node.participants, .node = node.node};
    all.refined += node.refined ? 1 : 0;
    all.torn = all.torn || node.torn;
    sent += static_cast<double>(node.sent);
    weight += node.weight;
    seconds += node.seconds;
    merge_seconds += node.merge_seconds;
  }
  if (!alone) all.change = change;
  all.messages_per_node = sent / static_cast<double>(nodes.size());
  if (weight_of_all) all.mass = weight / *weight_of_all;
  all.merge_share = merge_seconds / std::max(seconds, shortest_time);
  if (all_refined(all)) {
    all.assessment = first.assessment;
    all.refinement_steps = first.refinement_steps;
  } else {
    all.assessment = doubts_of(nodes);
  }
  const bool without_the_dead = all.refined == 0 && all.answers < network;  // who could not be asked
  all.converged = all.converged && (!all.torn || without_the_dead) && !somebody_is_missing(all) &&
                  weights_are_right(all, network);
  return all;
}

std::string mass_words(const Findings& findings, Index network) {
  const char* consequence = all_refined(findings) ? "the refined answer does not depend on it"
                                                  : "samples do not count alike in the answer";
  if (counted_twice(findings)) {
    return fmt::format(
        "the nodes' weights add up to {:.4g} times that of all data: what was sent to a node that seemed "
        "dead "
        "was counted twice; {}",
        *findings.mass, consequence);
  }
  if (!lost_weight(findings)) return {};
  return fmt::format("the nodes' weights add up to {:.4g} of that of all data: the rest was lost with {}; {}",
                     *findings.mass, findings.answers < network ? "nodes that died" : "messages",
                     consequence);
}

std::string refinement_words(const Findings& findings) {
  if (findings.refined == 0 || all_refined(findings)) return {};
  return fmt::format("{} of {} nodes have the refined answer, the others were cut off before it reached them",
                     findings.refined, findings.answers);
}

std::string advice_words(const Findings& findings, Index network, Index carry) {
  if (all_refined(findings)) return fmt::format("raise --carry, which is {}, or --tol", carry);
  if (findings.answers < network) return "run it again without the nodes that died, or when they are back";
  if (findings.torn || somebody_is_missing(findings) || !weights_are_right(findings, network))
    return "run it again when all nodes can be reached, or with a longer --interval if nodes are slow";
  return "raise --messages-per-node or --tol";
}

bool did_gossip(const Findings& findings) { return findings.messages > 0; }

double tree_messages_per_node(const std::map<Kind, Traffic>& ledger, Index nodes) {
  std::uint64_t messages = 0;
  for (const Kind kind : {Kind::own_statistics, Kind::masked, Kind::totals}) {
    const auto sent = ledger.find(kind);
    if (sent != ledger.end()) messages += sent->second.messages;
  }
  return static_cast<double>(messages) / static_cast<double>(nodes);
}

std::string participants_words(const Findings& findings) {
  if (findings.fewest.count == findings.most.count) return {};
  return fmt::format(
      "the nodes' answers are made of the data of different numbers of nodes: {} at node {}, {} at node {}; "
      "a part of the network was out of reach, or --messages-per-node is too small",
      findings.fewest.count, findings.fewest.node, findings.most.count, findings.most.node);
}

std::string quality_words(const Quality& quality, Division division, Index components) {
  // Infinite: data of no higher rank than the components, which could have been described without an error.
  const double best =
      std::isfinite(quality.excess_error) ? quality.error_relative / (1 + quality.excess_error) : 0;
  // The mean of coordinates is each node's own affair.
  const std::string mean = division == Division::samples
                               ? fmt::format("error of the mean {:.1e}, ", quality.mean_error)
                               : std::string();
  return fmt::format(
      "against PCA of all data in one place:\nerror of the covariance {:.4e}, where the best of {} "
      "components has {:.4e}\n{}smallest cosine to the central subspace {:.6f}",
      quality.error_relative, components, best, mean, quality.subspace_cosine_min);
}

std::string ending_words(std::optional<bool> converged, double messages_per_node, bool gossiped) {
  const std::string messages = fmt::format("{:.1f} messages per node (mean)", messages_per_node);
  if (!converged) return messages + ", a run of fixed length, not refined";
  const char* without = gossiped ? "" : ", sums along a tree that left nothing to gossip about";
  return fmt::format("{} after {}{}", *converged ? "settled" : "NOT settled", messages, without);
}

}  // namespace choir::gossip_pca
