// Figure 1 of the paper: all directions are carried, q = D, against sums of whole scatter matrices.
#include "choir/experiment/gossip_pca/experiments.h"
#include "choir/experiment/gossip_pca/gaussian_figures.h"

namespace choir {
namespace {

// Carries D directions and answers with as many. The fit itself is asked for no more than the data have.
GossipMethod carrying_all(GossipMethod method, Index features) {
  method.options.carry = features;
  method.read = features;
  return method;
}

}  // namespace

ExperimentResult gossip_pca_fig1(const ExperimentOptions& options) {
  const GaussianSpec spec = gaussian_of(options);
  std::vector<GossipMethod> methods;
  for (const GossipMethod& method :
       {default_gossip(spec.rank), printed_gossip(spec.rank), diagonal_gossip(spec.rank)}) {
    methods.push_back(carrying_all(method, spec.features));
  }
  GossipMethod late = default_gossip(spec.rank);
  late.name = "late PCA";
  late.options.merge = gossip_pca::MergeRule::late;
  late.read = spec.features;
  methods.push_back(late);
  const Measurements seen = compare_on_gaussian(options, "gossip-pca/fig1", methods);
  LineChart chart = error_chart(seen, "gossip-pca/fig1: all directions, q = D", "E", names_of(methods));
  dash(chart, "printed");
  dash(chart, "late PCA");
  return error_figure(seen, chart);
}

}  // namespace choir
