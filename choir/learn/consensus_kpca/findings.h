// What a run of consensus-kpca found, in numbers: what each node has to say about itself, and what that makes
// for the network.
//
//   const Findings all = summarise(findings_of_all_nodes);
//   all.converged;                                       // every node was content
#pragma once

#include <string>
#include <vector>

#include "choir/learn/consensus_kpca/consensus_kpca.h"

namespace choir::consensus_kpca {

// Of one node; it may be told to others. No sample is in it.
struct NodeFindings {
  NodeId node = 0;
  bool converged = false;
  bool led_away = false;
  Index iterations = 0;
  double change = 0;
  Vector consensus_gap = {};  // D
  double between_node_variance = 0;
  Vector eigenvalues = {};  // D
  double trace = 0;
  double rho = 0;
  double gamma = 0;
  double setup_seconds = 0;
  double iterate_seconds = 0;
  Answer use = Answer::shared;
  Assessment assessment = {};
  double kernel_error = 0;
  std::vector<std::string> notes = {};
  std::vector<double> changes = {};  // after each iteration
  std::vector<double> gaps = {};

  template <class Visitor>
  void fields(Visitor& visit) {
    visit(node, converged, led_away, iterations, change, consensus_gap, between_node_variance, eigenvalues,
          trace, rho, gamma, setup_seconds, iterate_seconds, use, assessment, kernel_error, notes, changes,
          gaps);
  }
};

NodeFindings findings_of(const NodeResult& result);

// Of all nodes. What the nodes agreed on is the same in each; gaps are means over nodes, the rest is the
// largest of a node.
struct Findings {
  bool converged = true;
  bool led_away = false;
  Index iterations = 0;
  double change = 0;
  Vector consensus_gap = {};             // D
  Vector eigenvalues = {};               // D
  Vector explained_variance_ratio = {};  // D
  double between_node_variance = 0;
  Assessment assessment = {};
  double setup_seconds = 0;
  double iterate_seconds = 0;
};

Findings summarise(const std::vector<NodeFindings>& nodes);

// What helps if it did not converge, as the end of a sentence; nothing: more iterations.
std::string advice_words(const Findings& findings);

}  // namespace choir::consensus_kpca
