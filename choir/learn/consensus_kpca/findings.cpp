#include "choir/learn/consensus_kpca/findings.h"

#include <algorithm>

namespace choir::consensus_kpca {

NodeFindings findings_of(const NodeResult& result) {
  NodeFindings findings{.node = result.node,
                        .converged = result.converged,
                        .led_away = result.led_away,
                        .iterations = result.iterations,
                        .change = result.change,
                        .consensus_gap = result.consensus_gap,
                        .between_node_variance = result.between_node_variance,
                        .eigenvalues = result.eigenvalues,
                        .trace = result.trace,
                        .rho = result.rho,
                        .gamma = result.kernel.gamma,
                        .setup_seconds = result.setup_seconds,
                        .iterate_seconds = result.iterate_seconds,
                        .use = result.use,
                        .assessment = result.assessment,
                        .kernel_error = result.kernel_error,
                        .notes = result.notes};
  for (const Iteration& iteration : result.history) {
    findings.changes.push_back(iteration.change);
    findings.gaps.push_back(iteration.gap);
  }
  return findings;
}

Findings summarise(const std::vector<NodeFindings>& nodes) {
  const NodeFindings& first = nodes.front();
  Findings all;
  all.eigenvalues = first.eigenvalues;
  all.explained_variance_ratio = first.eigenvalues / first.trace;
  all.between_node_variance = first.between_node_variance;
  all.assessment = first.assessment;
  all.consensus_gap = Vector::Zero(first.eigenvalues.size());
  for (const NodeFindings& node : nodes) {
    all.consensus_gap += node.consensus_gap / static_cast<double>(nodes.size());
    all.converged = all.converged && node.converged;
    all.led_away = all.led_away || node.led_away;
    all.iterations = std::max(all.iterations, node.iterations);
    all.change = std::max(all.change, node.change);
    all.setup_seconds = std::max(all.setup_seconds, node.setup_seconds);
    all.iterate_seconds = std::max(all.iterate_seconds, node.iterate_seconds);
  }
  return all;
}

// However long an iteration is that leads away, it does not come back.
std::string advice_words(const Findings& findings) {
  return findings.led_away ? "use --use shared, --rho auto, or less --exchange-noise" : "";
}

}  // namespace choir::consensus_kpca
