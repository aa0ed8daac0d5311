#include "choir/learn/federated_kmeans/findings.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "choir/metrics/clustering.h"

namespace choir::federated_kmeans {
namespace {

std::vector<Meeting> meetings_of(std::span<const std::int64_t> labels,
                                 std::span<const std::int64_t> clusters) {
  std::map<std::pair<std::int64_t, std::int64_t>, Index> counts;
  for (std::size_t i = 0; i < labels.size(); ++i) ++counts[{labels[i], clusters[i]}];
  std::vector<Meeting> meetings;
  for (const auto& [pair, count] : counts)
    meetings.push_back({.label = pair.first, .cluster = pair.second, .samples = count});
  return meetings;
}

// Of a node's own samples. Under differential privacy nobody says how many: there are noisy counts of all
// samples, which the server brings.
std::vector<Index> cluster_sizes_of(const NodeResult& result) {
  std::vector<Index> sizes(static_cast<std::size_t>(result.model.counts.size()));
  if (!result.privacy) {
    for (const std::int64_t cluster : result.labels) ++sizes[static_cast<std::size_t>(cluster)];
  } else if (!result.rounds.empty()) {
    std::ranges::transform(result.model.counts, sizes.begin(),
                           [](double count) { return static_cast<Index>(count); });
  }
  return sizes;
}

const NodeFindings& coordinator_of(const std::vector<NodeFindings>& nodes) {
  const auto found =
      std::find_if(nodes.begin(), nodes.end(), [](const NodeFindings& node) { return !node.rounds.empty(); });
  return found == nodes.end() ? nodes.front() : *found;
}

// One entry however many sums in a row a device was silent in.
std::vector<Silence> silences_in(const std::vector<RoundFindings>& rounds) {
  std::map<NodeId, Index> silent_since;
  std::vector<Silence> silences;
  const auto count = static_cast<Index>(rounds.size());
  for (Index sum = 1; sum <= count + 1; ++sum) {
    std::set<NodeId> silent;
    if (sum <= count) {
      const std::vector<NodeId>& devices = rounds[static_cast<std::size_t>(sum - 1)].silent;
      silent.insert(devices.begin(), devices.end());
    }
    std::erase_if(silent_since, [&](const auto& entry) {
      const auto& [device, since] = entry;
      if (silent.contains(device)) return false;
      silences.push_back({.device = device, .first = since, .last = sum - 1});
      return true;
    });
    for (const NodeId device : silent) silent_since.emplace(device, sum);
  }
  std::ranges::stable_sort(silences, {}, &Silence::first);
  return silences;
}

std::vector<std::vector<std::int64_t>> contingency(const std::vector<NodeFindings>& nodes,
                                                   const std::vector<std::int64_t>& labels) {
  const std::size_t clusters = nodes.front().cluster_sizes.size();
  std::vector<std::vector<std::int64_t>> counts(labels.size(), std::vector<std::int64_t>(clusters, 0));
  for (const NodeFindings& node : nodes) {
    for (const Meeting& meeting : node.meetings) {
      const auto row = std::ranges::lower_bound(labels, meeting.label) - labels.begin();
      counts[static_cast<std::size_t>(row)][static_cast<std::size_t>(meeting.cluster)] += meeting.samples;
    }
  }
  return counts;
}

}  // namespace

NodeFindings findings_of(const NodeResult& result, std::span<const std::int64_t> labels) {
  NodeFindings findings{
      .node = result.node,
      .gamma = result.model.kernel.gamma,
      .cluster_sizes = cluster_sizes_of(result),
      .dimension = result.model.dimension(),
      .inertia = result.inertia,
      .iterations = result.iterations,
      .converged = result.converged,
      .change = result.change,
      .silhouette = result.silhouette,
      .unfinished_swaps = result.unfinished_swaps,
      .kept = result.kept,
      .tried = result.tried,
      .route = result.route,
      .route_words = result.route_words,
      .seconds = result.seconds,
      .notes = result.notes,
      .meetings = result.privacy ? std::vector<Meeting>{} : meetings_of(labels, result.labels)};
  for (const Round& round : result.rounds) findings.rounds.push_back({round});
  return findings;
}

Findings summarise(const std::vector<NodeFindings>& nodes) {
  const NodeFindings& coordinator = coordinator_of(nodes);
  Findings all{.iterations = coordinator.iterations,
               .converged = coordinator.converged,
               .change = coordinator.change,
               .gamma = nodes.front().gamma,
               .dimension = coordinator.dimension,
               .inertia = coordinator.inertia,
               .silhouette = coordinator.silhouette,
               .unfinished_swaps = coordinator.unfinished_swaps,
               .kept = coordinator.kept,
               .tried = coordinator.tried,
               .route = coordinator.route,
               .route_words = coordinator.route_words,
               .cluster_sizes = std::vector<Index>(nodes.front().cluster_sizes.size()),
               .rounds = coordinator.rounds,
               .silences = silences_in(coordinator.rounds)};
  for (const NodeFindings& node : nodes) {
    all.seconds = std::max(all.seconds, node.seconds);
    std::ranges::transform(all.cluster_sizes, node.cluster_sizes, all.cluster_sizes.begin(), std::plus<>());
  }
  for (const RoundFindings& round : all.rounds) {
    all.most_silent = std::max(all.most_silent, static_cast<Index>(round.silent.size()));
    all.most_refused = std::max(all.most_refused, static_cast<Index>(round.refused));
  }
  return all;
}

std::optional<Comparison> compare_with_labels(const std::vector<NodeFindings>& nodes) {
  std::vector<std::int64_t> labels;  // of every sample
  std::vector<std::int64_t> clusters;
  for (const NodeFindings& node : nodes) {
    for (const Meeting& meeting : node.meetings) {
      const auto count = static_cast<std::size_t>(meeting.samples);
      labels.insert(labels.end(), count, meeting.label);
      clusters.insert(clusters.end(), count, meeting.cluster);
    }
  }
  if (labels.empty()) return std::nullopt;
  const std::set<std::int64_t> different(labels.begin(), labels.end());
  Comparison comparison{.nmi = normalized_mutual_info(labels, clusters),
                        .ari = adjusted_rand_index(labels, clusters),
                        .accuracy = clustering_accuracy(labels, clusters),
                        .labels = {different.begin(), different.end()}};
  comparison.counts = contingency(nodes, comparison.labels);
  return comparison;
}

std::optional<ServedTraffic> served_traffic(const Ledger& ledger, Index devices) {
  if (ledger.nodes() == devices) return std::nullopt;
  const auto server = static_cast<NodeId>(devices);
  ServedTraffic traffic{.by_server = ledger.sent_by(server)};
  for (const Kind kind : ledger.kinds().list()) {
    const Traffic all = ledger.total(kind);
    const Traffic of_server = ledger.sent_by(server, kind);
    traffic.by_devices[kind] = {.messages = all.messages - of_server.messages,
                                .bytes = all.bytes - of_server.bytes};
  }
  return traffic;
}

std::string silence_words(const Silence& silence) {
  const bool once = silence.first == silence.last;
  return fmt::format(
      "Device {} was silent in {}, which {} formed without it.", silence.device,
      once ? fmt::format("sum {}", silence.first) : fmt::format("sums {} to {}", silence.first, silence.last),
      once ? "was" : "were");
}

std::string cluster_words(const Findings& findings) {
  return fmt::format("{} clusters of {} samples; inertia {:.6g}\n", findings.cluster_sizes.size(),
                     fmt::join(findings.cluster_sizes, ", "), findings.inertia);
}

std::string noisy_words(const Findings& findings) {
  return fmt::format(
      "{} clusters of about {} samples, by noisy counts\n{} noisy sums, masked; {} iterations, as planned\n",
      findings.cluster_sizes.size(), fmt::join(findings.cluster_sizes, ", "), findings.rounds.size(),
      findings.iterations);
}

std::string comparison_words(const Comparison& comparison) {
  return fmt::format(
      "against the labels: mutual information {:.4f}, adjusted Rand index {:.4f}, accuracy {:.4f}\n",
      comparison.nmi, comparison.ari, comparison.accuracy);
}

std::string ending_words(const Findings& findings, const Options& options) {
  std::string words = "no server; ";
  if (options.coordination == Coordination::server) {
    words =
        fmt::format("{} sums, {}; ", findings.rounds.size(), uses_masks(options) ? "masked" : "not masked");
    if (findings.most_silent > 0) words += fmt::format("up to {} devices silent; ", findings.most_silent);
    if (findings.most_refused > 0) words += fmt::format("{} refused; ", findings.most_refused);
  }
  return words + fmt::format("{} after {} iterations\n", findings.converged ? "converged" : "NOT converged",
                             findings.iterations);
}

}  // namespace choir::federated_kmeans
