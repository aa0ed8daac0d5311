// What a run of local-kpca found, in numbers: what each node has to say about itself, and means over nodes.
//
//   const Findings all = summarise(findings_of_all_nodes);
//   all.explained_variance_ratio;                        // D, mean over nodes
#pragma once

#include <string>
#include <vector>

#include "choir/learn/central/local_kpca.h"

namespace choir::local_kpca {

// Of one node; it may be told to others. No sample is in it.
struct NodeFindings {
  NodeId node = 0;
  Index samples = 0;
  double residual = 0;
  bool converged = false;
  Vector eigenvalues = {};               // D
  Vector explained_variance_ratio = {};  // D
  double gamma = 0;
  std::string note = {};

  template <class Visitor>
  void fields(Visitor& visit) {
    visit(node, samples, residual, converged, eigenvalues, explained_variance_ratio, gamma, note);
  }
};

NodeFindings findings_of(NodeId node, const NodeResult& result);

struct Findings {
  bool converged = true;                 // all nodes
  double residual = 0;                   // the largest of a node
  Vector eigenvalues = {};               // D, mean over nodes
  Vector explained_variance_ratio = {};  // D, mean over nodes
};

// Nodes have equally many components.
Findings summarise(const std::vector<NodeFindings>& nodes);

}  // namespace choir::local_kpca
