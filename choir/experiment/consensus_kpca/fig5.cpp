// Figure 5 of the paper: 20 nodes with more and more neighbours, similarity after each iteration.
#include <fmt/format.h>

#include "choir/experiment/consensus_kpca/comparison.h"
#include "choir/experiment/consensus_kpca/experiments.h"
#include "choir/experiment/steps.h"
#include "choir/graph/topology.h"

namespace choir {
namespace {

struct Plan {
  std::vector<std::string> topologies;
  std::vector<Index> iterations;
  DigitDeal deal;
};

Plan plan_of(const ExperimentOptions& options) {
  if (options.quick) return {{"ring:2", "ring:4"}, {1, 4, 12}, {.nodes = 8, .samples = 30}};
  return {{"line", "ring:2", "ring:4", "ring:6", "ring:8", "ring:10", "ring:12"},
          {1, 2, 3, 4, 6, 8, 12},
          {.nodes = 20, .samples = 100}};
}

std::string step_name(const char* method, Index iteration) {
  return fmt::format("{}, iteration {}", method, iteration);
}

// The first answer is measured in full, for the yardsticks; the others only where the bars need them.
void measure_topology(const Comparison& comparison, const Trial& trial, const Plan& plan,
                      const std::string& topology, Steps& steps, Measurements& seen) {
  const Answers whole = comparison.answer(trial, of_length(default_method(), plan.iterations.back()));
  seen.add(topology, series::gather_own, "similarity", mean_of(whole.quality.yardsticks.gather_own));
  seen.add(topology, series::oracle, "similarity", mean_of(whole.quality.yardsticks.oracle));
  for (const Index iteration : plan.iterations) {
    const auto ours = comparison.fit(trial, of_length(default_method(), iteration));
    const auto printed = comparison.fit(trial, of_length(printed_method(), iteration));
    seen.add(topology, step_name("default", iteration), "similarity", comparison.own_similarity(trial, ours));
    seen.add(topology, step_name("printed", iteration), "similarity",
             comparison.own_similarity(trial, printed));
    steps.next();
  }
}

BarChart chart_of(const Measurements& seen, const Plan& plan, const char* method, double from) {
  BarChart chart{
      .title = fmt::format("consensus-kpca/fig5: {} method after each iteration", method),
      .x = {.title = "network (ring:k has k neighbours a node)"},
      .y = {.title = "similarity of the own direction", .from = from},
      .groups = plan.topologies,
      .bars = {},
      .lines = {seen.bars(series::gather_own, "similarity"), seen.bars(series::oracle, "similarity")},
      .in_order = true};
  for (const Index iteration : plan.iterations) {
    chart.bars.push_back(seen.bars(step_name(method, iteration), "similarity"));
    chart.bars.back().name = fmt::format("iteration {}", iteration);
    chart.bars.back().low.clear();  // of so many bars only the heights can be read
    chart.bars.back().high.clear();
  }
  return chart;
}

}  // namespace

ExperimentResult consensus_kpca_fig5(const ExperimentOptions& options) {
  const Comparison comparison(options);
  const Plan plan = plan_of(options);
  const Index seeds = repetitions(options);
  Steps steps(options.watch, "consensus-kpca/fig5",
              plan.topologies.size() * plan.iterations.size() * static_cast<std::size_t>(seeds));
  Measurements seen("topology");
  for (Index seed = 0; seed < seeds; ++seed) {
    Trial trial = comparison.trial({.deal = plan.deal, .seed = static_cast<std::uint64_t>(seed)});
    for (const std::string& topology : plan.topologies) {
      trial.graph = make_topology(topology, plan.deal.nodes, trial.seed);
      measure_topology(comparison, trial, plan, topology, steps, seen);
    }
  }
  return {.table = seen.table(),
          .summaries = {seen.summary("similarity")},
          .pictures = {{"", chart_of(seen, plan, "default", 0.7)},
                       {"printed", chart_of(seen, plan, "printed", 0.7)}},
          .notes = {
              "the paper's |Omega| = 2, 4, ..., 12 neighbours are ring:2, ring:4, ..., ring:12; counting the "
              "node itself, as its section 6 does, they are 3, 5, ..., 13. A line is the sparsest connected "
              "network: no network in which every node has one neighbour is connected",
              "iteration t is a run of its own that ends after t iterations (tol 0)"}};
}

}  // namespace choir
