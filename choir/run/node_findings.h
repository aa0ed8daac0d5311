// What the nodes of all processes found, in the order of the nodes: every process learns it.
//
//   const auto nodes = all_findings<consensus_kpca::NodeFindings>(fit.nodes, context,
//                                                                 [](const auto& node) { return
//                                                                 findings_of(node); });
#pragma once

#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "choir/base/error.h"
#include "choir/run/context.h"

namespace choir {

// `results`: an entry for each node; nothing: crashed, or in another process. Throws Error(PeerLost) if no
// node is left.
template <class Findings, class NodeResult, class FindOut>
std::vector<Findings> all_findings(const std::vector<std::optional<NodeResult>>& results,
                                   MethodContext& context, FindOut&& find_out) {
  std::vector<Findings> own;
  for (const auto& result : results) {
    if (result) own.push_back(find_out(*result));
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
