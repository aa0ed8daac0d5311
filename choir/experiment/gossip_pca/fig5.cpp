// Figure 5 of the paper: digits on more and more nodes, messages until converged.
#include <fmt/format.h>

#include "choir/experiment/digits.h"
#include "choir/experiment/gossip_pca/experiments.h"
#include "choir/experiment/gossip_pca/until_converged.h"
#include "choir/experiment/steps.h"

namespace choir {
namespace {

struct Plan {
  std::vector<Index> sizes;
  std::vector<GossipMethod> methods;
  double messages;
};

Plan plan_of(const ExperimentOptions& options) {
  const Index q = options.quick ? 5 : 10;
  const std::vector<GossipMethod> methods = {default_gossip(q), printed_gossip(q)};
  if (options.quick) return {{4, 12}, methods, 20};
  return {{10, 30, 100, 300, 1000}, methods, 50};
}

void measure(const GossipNetwork& network, const Plan& plan, const ExperimentOptions& options,
             Measurements& seen) {
  const std::string setting = fmt::format("{}", network.graph.nodes());
  const gossip_pca::Yardstick yardstick = yardstick_of(network, plan.methods.front().read);
  for (const GossipMethod& method : plan.methods) {
    const Curve curve =
        follow(network, yardstick, method,
               {.points = dense_points(plan.messages), .threads = options.threads, .watch = quiet(options)});
    seen.add(setting, method.name, "messages", settled_after(curve.points));
    seen.add(setting, method.name, "excess at the end",
             curve.points.back().errors.error / yardstick.best_error() - 1);
  }
}

}  // namespace

ExperimentResult gossip_pca_fig5(const ExperimentOptions& options) {
  const Dataset digits = read_digits(options, {});
  const Plan plan = plan_of(options);
  const Index seeds = repetitions(options);
  Steps steps(options.watch, "gossip-pca/fig5", plan.sizes.size() * static_cast<std::size_t>(seeds));
  Measurements seen("nodes");
  for (const Index nodes : plan.sizes) {
    for (Index seed = 0; seed < seeds; ++seed) {
      measure(digit_network(digits, nodes, DigitOrder::random, static_cast<std::uint64_t>(seed)), plan,
              options, seen);
      steps.next();
    }
  }
  LineChart chart{.title = fmt::format("gossip-pca/fig5: digits, q = {}", plan.methods.front().read),
                  .x = {.title = "nodes", .logarithmic = true},
                  .y = {.title = "messages a node until converged", .from = 0},
                  .series = {}};
  for (const GossipMethod& method : plan.methods) chart.series.push_back(seen.line(method.name, "messages"));
  return {.table = seen.table(),
          .summaries = {seen.summary("messages"), seen.summary("excess at the end")},
          .pictures = {{"", chart}},
          .notes = {fmt::format("converged: E is, and stays, within 1% of what it is after {} messages",
                                plan.messages)}};
}

}  // namespace choir
