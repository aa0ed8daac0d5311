// Figure 4 of the paper: digits on 100 nodes, 3 to 75 directions.
#include <fmt/format.h>

#include "choir/experiment/digits.h"
#include "choir/experiment/gossip_pca/convergence.h"
#include "choir/experiment/gossip_pca/experiments.h"

namespace choir {
namespace {

GossipMethod fig4_series(GossipMethod method) {
  method.name = fmt::format("{}, q = {}", method.name, method.read);
  return method;
}

LineChart chart_of(const Measurements& seen, const std::vector<GossipMethod>& methods,
                   const std::string& what) {
  std::vector<std::string> names = names_of(methods);
  for (const GossipMethod& method : methods) names.push_back(best_name(method.read));
  LineChart chart = error_chart(seen, fmt::format("gossip-pca/fig4: {} method, digits", what), "E", names);
  for (Series& line : chart.series) {
    if (line.style == SeriesStyle::line) line.name = line.name.substr(line.name.find("q ="));
  }
  return chart;
}

}  // namespace

ExperimentResult gossip_pca_fig4(const ExperimentOptions& options) {
  const Dataset digits = read_digits(options, {});
  const std::vector<Index> counts =
      options.quick ? std::vector<Index>{3, 10} : std::vector<Index>{3, 10, 30, 50, 75};
  std::vector<GossipMethod> ours;
  std::vector<GossipMethod> printed;
  for (const Index q : counts) ours.push_back(fig4_series(default_gossip(q)));
  for (const Index q : counts) printed.push_back(fig4_series(printed_gossip(q)));
  ConvergencePlan plan{.stage = "gossip-pca/fig4",
                       .points = trace_points(options.quick ? 20 : 40),
                       .methods = ours,
                       .network = [&](std::uint64_t seed) {
                         return digit_network(digits, options.quick ? 10 : 100, DigitOrder::random, seed);
                       }};
  plan.methods.insert(plan.methods.end(), printed.begin(), printed.end());
  const Measurements seen = compare_convergence(options, plan);
  return {
      .table = seen.table(),
      .summaries = {seen.summary("E"), seen.summary("excess")},
      .pictures = {{"", chart_of(seen, ours, "default")}, {"printed", chart_of(seen, printed, "printed")}},
      .notes = {"excess is (E - E*) / E*, E* the best that q directions can do"}};
}

}  // namespace choir
