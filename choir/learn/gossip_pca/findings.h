// What a run of gossip-pca found, in numbers and in words: what each node has to say about itself, and what
// that makes for the network.
//
//   const Findings all = summarise(findings_of_all_nodes, nodes, whole_weight);
//   all.converged;                                       // every node settled, on the same data
//   participants_words(all);                             // empty: all answers are made of the same nodes
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "choir/learn/gossip_pca/gossip_pca.h"
#include "choir/learn/gossip_pca/quality.h"
#include "choir/runtime/ledger.h"

namespace choir::gossip_pca {

// Of one node; it may be told to others. No sample is in it.
struct NodeFindings {
  NodeId node = 0;
  bool converged = false;
  double change = 0;
  double gap = 0;
  double between_node_variance = 0;
  Vector eigenvalues = {};               // q, of the scatter
  Vector explained_variance_ratio = {};  // q
  Index participants = 0;
  double weight = 0;
  std::uint64_t sent = 0;
  bool refined = false;
  bool torn = false;
  Index refinement_steps = 0;
  std::optional<Assessment> assessment = {};
  double gamma = 0;  // 0: no kernel features
  double seconds = 0;
  double merge_seconds = 0;
  std::vector<std::string> notes = {};
  std::vector<std::uint64_t> sent_by = {};  // messages sent by the end of each window
  std::vector<double> changes = {};         // over each window
  std::vector<double> gaps = {};

  template <class Visitor>
  void fields(Visitor& visit) {
    visit(node, converged, change, gap, between_node_variance, eigenvalues, explained_variance_ratio,
          participants, weight, sent, refined, torn, refinement_steps, assessment, gamma, seconds,
          merge_seconds, notes, sent_by, changes, gaps);
  }
};

NodeFindings findings_of(const NodeResult& result);

// Of all nodes. Eigenvalues are those of the first node, which gossip makes nearly those of all; changes and
// gaps are the largest of a node.
struct Findings {
  bool converged = true;  // every node is, all that live are in every answer, and nothing was counted twice
  std::optional<double> change = {};  // nothing: a node alone, which has nothing to wait for
  Index messages = 0;                 // most that a node sent
  double messages_per_node = 0;       // mean
  double gap = 0;
  Vector eigenvalues = {};               // q
  Vector explained_variance_ratio = {};  // q
  double between_node_variance = 0;
  std::optional<double> mass = {};  // all nodes' weight by that of all data: 1 unless something was lost
  double merge_share = 0;           // of the nodes' time
  Index refined = 0;                // nodes that have the refined answer: all or none, unless one was cut off
  bool torn = false;                // some node could not be reached for that
  Index refinement_steps = 0;
  std::optional<Assessment> assessment = {};  // if all have the refined answer, or a node's doubts
  Index answers = 0;                          // nodes that have one
  double seconds = 0;

  struct Participants {
    Index count = 0;
    NodeId node = 0;
  };
  Participants fewest = {};
  Participants most = {};
};

// The weight of all data, `once` samples (coordinates: rows): along a tree every node ends with all of it.
// Nothing if samples are forgotten, and nobody knows how much is left.
std::optional<double> whole_weight(const Options& options, Index nodes, Index once);

// `network`: all nodes, those without an answer, too. `weight_of_all`: see whole_weight().
Findings summarise(const std::vector<NodeFindings>& nodes, Index network,
                   std::optional<double> weight_of_all);

// Not along a tree, nor where sums over all nodes were formed at once.
bool did_gossip(const Findings& findings);
// Without gossip no node counts its messages; the ledger does. Mean per node.
double tree_messages_per_node(const std::map<Kind, Traffic>& ledger, Index nodes);

// A sentence if the weights of all nodes do not add up to that of all data; otherwise empty.
std::string mass_words(const Findings& findings, Index network);
// A sentence if some nodes have the refined answer and others do not.
std::string refinement_words(const Findings& findings);
// What helps against what keeps a run from being good, as the end of a sentence.
std::string advice_words(const Findings& findings, Index network, Index carry);

// A sentence if the answers are made of different numbers of nodes; otherwise empty.
std::string participants_words(const Findings& findings);
std::string quality_words(const Quality& quality, Division division, Index components);
// "settled after 21.0 messages per node (mean)"; `converged` is nothing for a run of fixed length.
std::string ending_words(std::optional<bool> converged, double messages_per_node, bool gossiped);

}  // namespace choir::gossip_pca
