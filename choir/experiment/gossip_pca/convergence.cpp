#include "choir/experiment/gossip_pca/convergence.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "choir/base/parallel.h"
#include "choir/experiment/steps.h"
#include "choir/linalg/blas.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir {
namespace {

constexpr std::size_t most_looked_at = 100;  // nodes; E of more is the same mean at more cost
constexpr double exact = 1e-12;              // E* below that is rounding: q directions are all there are

std::vector<const Summary*> some_of(const NodeSummaries& nodes) {
  std::vector<const Summary*> present;
  for (const auto& node : nodes) {
    if (node) present.push_back(&*node);
  }
  if (present.size() <= most_looked_at) return present;
  std::vector<const Summary*> some;
  for (std::size_t k = 0; k < most_looked_at; ++k) {
    some.push_back(present[k * present.size() / most_looked_at]);
  }
  return some;
}

// A bound is the same everywhere: its ends say all.
Series ends_of(const Series& line) {
  return {.name = line.name,
          .x = {line.x.front(), line.x.back()},
          .y = {line.y.front(), line.y.back()},
          .style = SeriesStyle::dashed};
}

std::string axis_title(const std::string& quantity) {
  return quantity == "excess" ? "(E - E*) / E*" : quantity;
}

void add_curve(Measurements& seen, const Curve& curve, const GossipMethod& method, Division division,
               double best) {
  for (const CurvePoint& point : curve.points) {
    const std::string setting = fmt::format("{}", point.messages);
    seen.add(setting, method.name, "E", point.errors.error);
    if (best > exact) seen.add(setting, method.name, "excess", point.errors.error / best - 1);
    if (division == Division::samples) {
      seen.add(setting, method.name, "error of the mean", point.errors.mean_error);
    }
  }
}

}  // namespace

GossipErrors errors_of(const NodeSummaries& nodes, const gossip_pca::Yardstick& yardstick,
                       const GossipMethod& method, int threads) {
  const SingleThreadedBlas scope;
  const SummaryRule rule = rule_of(method.options);
  const std::vector<const Summary*> some = some_of(nodes);
  std::vector<GossipErrors> each(some.size());
  parallel_for(static_cast<Index>(some.size()), threads, [&](Index index) {
    const auto k = static_cast<std::size_t>(index);
    const Principal answer = principal_of(*some[k], rule, method.read);
    each[k].error = yardstick.error(answer);
    if (rule.has_mean) each[k].mean_error = yardstick.mean_error(answer.mean);
  });
  GossipErrors all;
  for (const GossipErrors& one : each) {
    all.error += one.error / static_cast<double>(each.size());
    all.mean_error = std::max(all.mean_error, one.mean_error);
  }
  return all;
}

gossip_pca::Fit run_gossip(const GossipNetwork& network, const gossip_pca::Options& method,
                           const SimOptions& sim, const Watch& watch, std::vector<SampleFeed> feeds) {
  SimEngine engine(sim);
  gossip_pca::Options options = method;
  options.division = network.division;
  RunOptions run;
  run.seed = network.seed;
  run.watch = watch;
  return fit_gossip_pca(engine, network.graph, network.shards, options, run, std::move(feeds));
}

Curve follow(const GossipNetwork& network, const gossip_pca::Yardstick& yardstick, const GossipMethod& method,
             const FollowOptions& options) {
  Curve curve;
  GossipMethod traced = method;
  traced.options.division = network.division;
  traced.options.messages = options.ticks > 0 ? options.ticks : static_cast<Index>(options.points.back());
  const auto look = [&](const TraceMoment& now) {
    curve.points.push_back({now.messages, errors_of(now.nodes, yardstick, traced, options.threads)});
  };
  GossipTrace trace({.nodes = network.graph.nodes(),
                     .points = options.points,
                     .look = look,
                     .crashes = options.sim.crashes});
  gossip_pca::Options observed = traced.options;
  observed.observe = trace.observer();
  curve.fit = run_gossip(network, observed, options.sim, options.watch);
  trace.finish();
  return curve;
}

std::vector<double> trace_points(double most) {
  std::vector<double> points;
  for (const double point :
       {0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 160, 200, 240, 320}) {
    if (point <= most) points.push_back(point);
  }
  return points;
}

std::string best_name(Index q) { return fmt::format("E*, q = {}", q); }

Measurements compare_convergence(const ExperimentOptions& options, const ConvergencePlan& plan) {
  const Index seeds = repetitions(options);
  Steps steps(options.watch, plan.stage, plan.methods.size() * static_cast<std::size_t>(seeds));
  Measurements seen("messages a node");
  for (Index seed = 0; seed < seeds; ++seed) {
    const GossipNetwork network = plan.network(static_cast<std::uint64_t>(seed));
    std::map<Index, gossip_pca::Yardstick> yardsticks;
    for (const GossipMethod& method : plan.methods) {
      const bool first = !yardsticks.contains(method.read);
      if (first) yardsticks.emplace(method.read, yardstick_of(network, method.read));
      const gossip_pca::Yardstick& yardstick = yardsticks.at(method.read);
      const double best = yardstick.best_error();
      const Curve curve = follow(
          network, yardstick, method,
          {.points = plan.points, .sim = plan.sim, .threads = options.threads, .watch = quiet(options)});
      add_curve(seen, curve, method, network.division, best);
      for (const double point : plan.points) {
        if (first && best > exact) seen.add(fmt::format("{}", point), best_name(method.read), "E", best);
      }
      steps.next();
    }
  }
  return seen;
}

LineChart error_chart(const Measurements& seen, const std::string& title, const std::string& quantity,
                      const std::vector<std::string>& names) {
  LineChart chart{.title = title,
                  .x = {.title = "messages a node"},
                  .y = {.title = axis_title(quantity), .logarithmic = true},
                  .series = {}};
  for (const std::string& name : names) {
    const Series line = seen.line(name, quantity);
    if (!line.x.empty()) chart.series.push_back(name.starts_with("E*") ? ends_of(line) : line);
  }
  return chart;
}

void dash(LineChart& chart, const std::string& name) {
  for (Series& line : chart.series) {
    if (line.name == name) line.style = SeriesStyle::dashed;
  }
}

}  // namespace choir
