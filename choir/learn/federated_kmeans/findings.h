// What a run of federated-kmeans found, in numbers and in words: what each node has to say about itself, and
// what that makes for the network.
//
//   const Findings all = summarise(findings_of_all_nodes);
//   all.cluster_sizes;                                   // of all devices' samples
//   if (const auto comparison = compare_with_labels(findings_of_all_nodes)) comparison->accuracy;
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "choir/learn/federated_kmeans/federated_kmeans.h"
#include "choir/runtime/ledger.h"

namespace choir::federated_kmeans {

struct RoundFindings : Round {
  template <class Visitor>
  void fields(Visitor& visit) {
    visit(what, answered, silent, refused, samples, attempts);
  }
};

// How many samples with a label fell into a cluster.
struct Meeting {
  std::int64_t label = 0;
  std::int64_t cluster = 0;
  Index samples = 0;

  template <class Visitor>
  void fields(Visitor& visit) {
    visit(label, cluster, samples);
  }
};

// Of one node; it may be told to others. No sample is in it, and of labels only how often each met which
// cluster.
struct NodeFindings {
  NodeId node = 0;
  double gamma = 0;
  // Of the node's own samples in each cluster. What the model says is the coordinator's estimate for all.
  std::vector<Index> cluster_sizes = {};
  Index dimension = 0;
  double inertia = 0;
  Index iterations = 0;
  bool converged = false;
  std::optional<double> change = {};
  std::optional<double> silhouette = {};
  bool unfinished_swaps = false;
  std::optional<KeptTrace> kept = {};
  std::vector<TriedClusters> tried = {};
  EigenRoute route = EigenRoute::cheapest;
  std::string route_words = {};
  std::vector<RoundFindings> rounds = {};  // at the coordinator
  double seconds = 0;
  std::vector<std::string> notes = {};
  std::vector<Meeting> meetings = {};  // every pair that occurs; empty: a node without labels

  template <class Visitor>
  void fields(Visitor& visit) {
    visit(node, gamma, cluster_sizes, dimension, inertia, iterations, converged, change, silhouette,
          unfinished_swaps, kept, tried, route, route_words, rounds, seconds, notes, meetings);
  }
};

// `labels`: of the node's samples, in their order; or none.
NodeFindings findings_of(const NodeResult& result, std::span<const std::int64_t> labels);

// Sums in a row that a device did not answer, counted from 1.
struct Silence {
  NodeId device = 0;
  Index first = 0;
  Index last = 0;
};

// Of all nodes. The coordinator, which is the server or the first node, knows what was asked and answered.
struct Findings {
  Index iterations = 0;
  bool converged = false;
  std::optional<double> change = {};
  double seconds = 0;  // of the slowest node
  double gamma = 0;
  Index dimension = 0;
  double inertia = 0;
  std::optional<double> silhouette = {};
  bool unfinished_swaps = false;
  std::optional<KeptTrace> kept = {};
  std::vector<TriedClusters> tried = {};
  EigenRoute route = EigenRoute::cheapest;
  std::string route_words = {};
  std::vector<Index> cluster_sizes = {};  // of the samples of all devices that have clusters
  std::vector<RoundFindings> rounds = {};
  Index most_silent = 0;  // devices, in one sum
  Index most_refused = 0;
  std::vector<Silence> silences = {};  // by their beginning
};

Findings summarise(const std::vector<NodeFindings>& nodes);

struct Comparison {
  double nmi = 0;
  double ari = 0;
  double accuracy = 0;
  std::vector<std::int64_t> labels = {};               // L that occur, ascending
  std::vector<std::vector<std::int64_t>> counts = {};  // L x k: samples of a label in a cluster
};

// Nothing if no device has labels.
std::optional<Comparison> compare_with_labels(const std::vector<NodeFindings>& nodes);

struct ServedTraffic {
  std::map<Kind, Traffic> by_devices = {};
  Traffic by_server = {};
};

// What the devices and the server sent; nothing without a server, which is the last node.
std::optional<ServedTraffic> served_traffic(const Ledger& ledger, Index devices);

// "Device 3 was silent in sums 4 to 6, which were formed without it."
std::string silence_words(const Silence& silence);
// Lines of a summary: the clusters, how they compare with labels, and how the run went.
std::string cluster_words(const Findings& findings);
// Of a run under differential privacy: all that there is to say.
std::string noisy_words(const Findings& findings);
std::string comparison_words(const Comparison& comparison);
std::string ending_words(const Findings& findings, const Options& options);

}  // namespace choir::federated_kmeans
