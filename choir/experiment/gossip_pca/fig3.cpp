// Figure 3 of the paper: fewer directions than the covariance has, q < p.
#include <fmt/format.h>

#include "choir/experiment/gossip_pca/experiments.h"
#include "choir/experiment/gossip_pca/gaussian_figures.h"

namespace choir {
namespace {

std::vector<GossipMethod> methods_for(const std::vector<Index>& counts) {
  std::vector<GossipMethod> methods;
  for (const Index q : counts) {
    for (GossipMethod method : {default_gossip(q), printed_gossip(q)}) {
      method.name = fmt::format("{}, q = {}", method.name, q);
      methods.push_back(std::move(method));
    }
  }
  return methods;
}

}  // namespace

ExperimentResult gossip_pca_fig3(const ExperimentOptions& options) {
  const std::vector<Index> counts = options.quick ? std::vector<Index>{2, 4} : std::vector<Index>{5, 10, 20};
  const std::vector<GossipMethod> methods = methods_for(counts);
  const Measurements seen = compare_on_gaussian(options, "gossip-pca/fig3", methods);
  std::vector<std::string> shown = names_of(methods);
  const LineChart excess =
      error_chart(seen, "gossip-pca/fig3: excess error, q < p", "excess", names_of(methods));
  for (const Index q : counts) shown.push_back(best_name(q));
  return {.table = seen.table(),
          .summaries = {seen.summary("E"), seen.summary("excess")},
          .pictures = {{"", error_chart(seen, "gossip-pca/fig3: q < p", "E", shown)}, {"excess", excess}},
          .notes = {note_about_the_mean(), "excess is (E - E*) / E*, E* the best that q directions can do"}};
}

}  // namespace choir
