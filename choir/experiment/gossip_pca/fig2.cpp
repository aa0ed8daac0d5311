// Figure 2 of the paper: as many directions as the covariance has, q = p.
#include "choir/experiment/gossip_pca/experiments.h"
#include "choir/experiment/gossip_pca/gaussian_figures.h"

namespace choir {
namespace {

GossipMethod with_one_more(GossipMethod method) {
  method.options.carry = method.read + 1;
  method.name += ", one more carried";
  return method;
}

}  // namespace

ExperimentResult gossip_pca_fig2(const ExperimentOptions& options) {
  const Index rank = gaussian_of(options).rank;
  const std::vector<GossipMethod> methods = {default_gossip(rank), printed_gossip(rank),
                                             with_one_more(printed_gossip(rank)),
                                             with_one_more(diagonal_gossip(rank))};
  const Measurements seen = compare_on_gaussian(options, "gossip-pca/fig2", methods);
  LineChart chart = error_chart(seen, "gossip-pca/fig2: q = p", "E", names_of(methods));
  dash(chart, "printed, one more carried");
  return error_figure(seen, chart);
}

}  // namespace choir
