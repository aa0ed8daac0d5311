// What the nodes of all processes found, in the order of the nodes: every process learns it.
//
//   const auto nodes = all_findings<consensus_kpca::NodeFindings>(fit.nodes, context);
//   take_findings(summarise(nodes), context.result);
#pragma once

#include <algorithm>
#include <iterator>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "choir/base/error.h"
#include "choir/run/context.h"

namespace choir {

// `results`: an entry for each node; nothing: crashed, or in another process. find_out() is given a result,
// or, where results do not say whose they are, the node and its result. Throws Error(PeerLost) if no node is
// left.
template <class Findings, class NodeResult, class FindOut>
std::vector<Findings> all_findings(const std::vector<std::optional<NodeResult>>& results,
                                   MethodContext& context, FindOut&& find_out) {
  std::vector<Findings> own;
  for (std::size_t node = 0; node < results.size(); ++node) {
    if (!results[node]) continue;
    if constexpr (std::is_invocable_v<FindOut, NodeId, const NodeResult&>) {
      own.push_back(find_out(static_cast<NodeId>(node), *results[node]));
    } else {
      own.push_back(find_out(*results[node]));
    }
  }
  std::vector<Findings> all;
  for (std::vector<Findings>& part : context.processes.tell_all(Kind::summaries, own)) {
    std::move(part.begin(), part.end(), std::back_inserter(all));
  }
  context.processes.together([&] {
    if (all.empty()) throw Error(ErrorCategory::PeerLost, "every node crashed; there is no answer to keep");
  });
  return all;
}

// The same where a result alone says what its node found.
template <class Findings, class NodeResult>
std::vector<Findings> all_findings(const std::vector<std::optional<NodeResult>>& results,
                                   MethodContext& context) {
  return all_findings<Findings>(results, context, [](const NodeResult& node) { return findings_of(node); });
}

// Components, and what it took to find them: all that a run under differential privacy may show.
template <class Findings>
void take_released_findings(const Findings& all, Result& result) {
  if constexpr (requires { all.converged; }) result.converged = all.converged;
  if constexpr (requires { all.iterations; }) result.iterations = all.iterations;
  if constexpr (requires { all.eigenvalues; }) {
    result.eigenvalues = all.eigenvalues;
    result.n_components = all.eigenvalues.size();
    result.explained_variance_ratio = all.explained_variance_ratio;
  }
  if constexpr (requires { all.setup_seconds; }) result.setup_seconds = all.setup_seconds;
  if constexpr (requires { all.iterate_seconds; }) {
    result.iterate_seconds = all.iterate_seconds;
  } else if constexpr (requires { all.seconds; }) {
    result.iterate_seconds = all.seconds;
  }
}

// Those of the numbers that a method's findings have: `all` is what they make for the network.
template <class Findings>
void take_findings(const Findings& all, Result& result) {
  take_released_findings(all, result);
  if constexpr (requires { all.change; }) result.change = all.change;
  if constexpr (requires { all.residual; }) result.residual = all.residual;
  if constexpr (requires { all.consensus_gap; })
    result.consensus_gap.assign(all.consensus_gap.begin(), all.consensus_gap.end());
  if constexpr (requires { all.between_node_variance; })
    result.between_node_variance = all.between_node_variance;
  if constexpr (requires { all.assessment; }) result.assessment = all.assessment;
}

// One list of sentences per node, for add_similar_notes().
template <class Findings>
std::vector<std::vector<std::string>> notes_of(const std::vector<Findings>& nodes) {
  std::vector<std::vector<std::string>> notes;
  for (const Findings& node : nodes) notes.push_back(node.notes);
  return notes;
}

// The largest of a number that every node has, and the sum of it.
template <class Findings, class Number>
double largest(const std::vector<Findings>& nodes, Number Findings::*member) {
  double result = 0;
  for (const Findings& node : nodes) result = std::max(result, static_cast<double>(node.*member));
  return result;
}

template <class Findings, class Number>
double total(const std::vector<Findings>& nodes, Number Findings::*member) {
  double sum = 0;
  for (const Findings& node : nodes) sum += static_cast<double>(node.*member);
  return sum;
}

}  // namespace choir
