#include "choir/learn/central/local_findings.h"

#include <algorithm>

namespace choir::local_kpca {

NodeFindings findings_of(NodeId node, const NodeResult& result) {
  return {.node = node,
          .samples = result.model.training_samples,
          .residual = result.residual,
          .converged = result.converged,
          .eigenvalues = result.model.eigenvalues,
          .explained_variance_ratio = result.model.explained_variance_ratio(),
          .gamma = result.model.kernel.gamma,
          .note = result.note};
}

Findings summarise(const std::vector<NodeFindings>& nodes) {
  const Index count = nodes.front().eigenvalues.size();
  const auto share = 1 / static_cast<double>(nodes.size());
  Findings all{.eigenvalues = Vector::Zero(count), .explained_variance_ratio = Vector::Zero(count)};
  for (const NodeFindings& node : nodes) {
    all.eigenvalues += share * node.eigenvalues;
    all.explained_variance_ratio += share * node.explained_variance_ratio;
    all.converged = all.converged && node.converged;
    all.residual = std::max(all.residual, node.residual);
  }
  return all;
}

}  // namespace choir::local_kpca
