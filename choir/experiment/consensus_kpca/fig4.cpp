// Figure 4 of the paper: 20 nodes, ring:4, more and more images a node.
#include <fmt/format.h>

#include "choir/experiment/consensus_kpca/comparison.h"
#include "choir/experiment/consensus_kpca/experiments.h"

namespace choir {
namespace {

std::vector<Case> size_cases_of(const ExperimentOptions& options) {
  const std::vector<Index> sizes = options.quick
                                       ? std::vector<Index>{20, 40}
                                       : std::vector<Index>{40, 60, 80, 100, 140, 180, 220, 260, 300};
  std::vector<Case> cases;
  for (const Index samples : sizes) {
    cases.push_back(
        {fmt::format("{}", samples), {.deal = {.nodes = options.quick ? 8 : 20, .samples = samples}}});
  }
  return cases;
}

}  // namespace

ExperimentResult consensus_kpca_fig4(const ExperimentOptions& options) {
  const Measurements seen =
      compare_methods(options, "consensus-kpca/fig4", "images a node", size_cases_of(options));
  return {
      .table = seen.table(),
      .summaries = {seen.summary("similarity"), seen.summary("seconds")},
      .pictures = {{"", similarity_chart(seen, "consensus-kpca/fig4: similarity, ring:4", "images a node")}}};
}

}  // namespace choir
