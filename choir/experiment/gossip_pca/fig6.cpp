// Figure 6 of the paper: coordinates are divided, 10,000 of them, of 200 samples of rank 30.
#include "choir/experiment/gossip_pca/convergence.h"
#include "choir/experiment/gossip_pca/experiments.h"

namespace choir {

ExperimentResult gossip_pca_fig6(const ExperimentOptions& options) {
  const GaussianSpec spec = options.quick
                                ? GaussianSpec{.nodes = 12, .features = 240, .samples = 30, .rank = 6}
                                : GaussianSpec{.nodes = 100, .features = 10000, .samples = 200, .rank = 30};
  const std::vector<GossipMethod> methods = {default_gossip(spec.rank), printed_gossip(spec.rank),
                                             diagonal_gossip(spec.rank)};
  const Measurements seen = compare_convergence(
      options, {.stage = "gossip-pca/fig6",
                .points = trace_points(options.quick ? 30 : 60),
                .methods = methods,
                .network = [&](std::uint64_t seed) { return gaussian_coordinates(spec, seed); }});
  LineChart chart = error_chart(seen, "gossip-pca/fig6: coordinates divided, q = p", "E", names_of(methods));
  dash(chart, "printed");
  return {.table = seen.table(),
          .summaries = {seen.summary("E")},
          .pictures = {{"", chart}},
          .notes = {
              "a node centres its own coordinates, so that here the printed method has no mean in its way"}};
}

}  // namespace choir
