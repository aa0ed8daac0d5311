#include "choir/experiment/gossip_pca/gaussian_figures.h"

namespace choir {

GaussianSpec gaussian_of(const ExperimentOptions& options) {
  if (options.quick) return {.nodes = 12, .features = 30, .samples = 240, .rank = 6};
  return {.nodes = 100, .features = 200, .samples = 10000, .rank = 30};
}

Measurements compare_on_gaussian(const ExperimentOptions& options, const std::string& stage,
                                 const std::vector<GossipMethod>& methods) {
  const GaussianSpec spec = gaussian_of(options);
  return compare_convergence(options,
                             {.stage = stage,
                              .points = trace_points(options.quick ? 30 : 60),
                              .methods = methods,
                              .network = [&](std::uint64_t seed) { return gaussian_network(spec, seed); }});
}

std::string note_about_the_mean() {
  return "the data have a mean, as large as their deviations from it; the printed method works about the "
         "origin, where the rank is one more than that of the covariance";
}

ExperimentResult error_figure(const Measurements& seen, const LineChart& chart) {
  return {.table = seen.table(),
          .summaries = {seen.summary("E")},
          .pictures = {{"", chart}},
          .notes = {note_about_the_mean()}};
}

}  // namespace choir
