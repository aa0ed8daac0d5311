// Figure 7 of the paper: networks and schedules, messages until converged. Data as in figure 6.
#include <cmath>

#include <fmt/format.h>

#include "choir/experiment/gossip_pca/experiments.h"
#include "choir/experiment/gossip_pca/until_converged.h"
#include "choir/experiment/steps.h"
#include "choir/graph/topology.h"

namespace choir {
namespace {

constexpr double small_enough = 1e-4;  // of E; E* is 0
constexpr Index first_ticks = 40;      // tried first, then twice as many, and so on
constexpr Index most_ticks = 5120;
constexpr const char* convergecast = "tree, merged once";

struct Connection {
  std::string name;
  std::string topology;
  Schedule schedule = gossip_pca::Schedule::random;
};

std::vector<Connection> connections() {
  return {{"complete", "complete"},
          {"Barabasi-Albert", "barabasi:2"},
          {"tree", "tree:2"},
          {"broadcast", "complete", gossip_pca::Schedule::broadcast},
          {"master", "star", gossip_pca::Schedule::master},
          {"fast master", "star", gossip_pca::Schedule::fast_master}};
}

// Messages that a tick of every node makes, by node.
double messages_a_tick(Schedule schedule, Index nodes) {
  if (schedule == gossip_pca::Schedule::broadcast) return static_cast<double>(nodes - 1);
  if (schedule == gossip_pca::Schedule::fast_master)
    return 2 * static_cast<double>(nodes - 1) / static_cast<double>(nodes);
  return 1;
}

// NaN if most_ticks are not enough.
double messages_needed(const GossipNetwork& network, const gossip_pca::Yardstick& yardstick,
                       const GossipMethod& method, const ExperimentOptions& options) {
  const double each = messages_a_tick(method.options.schedule, network.graph.nodes());
  for (Index ticks = std::max<Index>(1, std::lround(first_ticks / each)); ticks <= most_ticks; ticks *= 2) {
    const Curve curve = follow(network, yardstick, method,
                               {.points = dense_points(static_cast<double>(ticks) * each),
                                .ticks = ticks,
                                .threads = options.threads,
                                .watch = quiet(options)});
    const double needed = first_below(curve.points, small_enough);
    if (!std::isnan(needed)) return needed;
  }
  return std::nan("");
}

void measure_convergecast(GossipNetwork& network, const gossip_pca::Yardstick& yardstick, GossipMethod method,
                          const ExperimentOptions& options, Measurements& seen) {
  const std::string setting = fmt::format("{}", network.graph.nodes());
  network.graph = make_topology("tree:2", network.graph.nodes(), network.seed);
  method.options.schedule = gossip_pca::Schedule::tree;
  const gossip_pca::Fit fit = run_gossip(network, method.options, swift_network(), quiet(options));
  seen.add(
      setting, convergecast, "messages, " + method.name,
      static_cast<double>(fit.report.ledger.total().messages) / static_cast<double>(network.graph.nodes()));
  seen.add(setting, convergecast, "E at the end, " + method.name, yardstick.measure(fit).error_relative);
}

void measure(const GaussianSpec& spec, std::uint64_t seed, const ExperimentOptions& options,
             Measurements& seen) {
  GossipNetwork network = gaussian_coordinates(spec, seed);
  const gossip_pca::Yardstick yardstick = yardstick_of(network, spec.rank);
  for (GossipMethod method : {default_gossip(spec.rank), printed_gossip(spec.rank)}) {
    method.options.carry = spec.rank;  // the data have no more directions, so more would only take time
    for (const Connection& connection : connections()) {
      network.graph = make_topology(connection.topology, spec.nodes, seed);
      method.options.schedule = connection.schedule;
      const double needed = messages_needed(network, yardstick, method, options);
      if (std::isnan(needed)) continue;
      seen.add(fmt::format("{}", spec.nodes), connection.name, "messages, " + method.name, needed);
    }
    measure_convergecast(network, yardstick, method, options, seen);
  }
}

LineChart chart_of(const Measurements& seen, const std::string& method) {
  LineChart chart{.title = fmt::format("gossip-pca/fig7: {} method", method),
                  .x = {.title = "nodes", .logarithmic = true},
                  .y = {.title = "messages a node until converged", .logarithmic = true},
                  .series = {}};
  for (const Connection& connection : connections()) {
    chart.series.push_back(seen.line(connection.name, "messages, " + method));
  }
  chart.series.push_back(seen.line(convergecast, "messages, " + method, SeriesStyle::dashed));
  return chart;
}

}  // namespace

ExperimentResult gossip_pca_fig7(const ExperimentOptions& options) {
  const std::vector<Index> sizes = options.quick ? std::vector<Index>{5, 10} : std::vector<Index>{10, 20, 50};
  const Index seeds = repetitions(options);
  Steps steps(options.watch, "gossip-pca/fig7", sizes.size() * static_cast<std::size_t>(seeds));
  Measurements seen("nodes");
  for (const Index nodes : sizes) {
    for (Index seed = 0; seed < seeds; ++seed) {
      const GaussianSpec spec =
          options.quick ? GaussianSpec{.nodes = nodes, .features = 240, .samples = 20, .rank = 4}
                        : GaussianSpec{.nodes = nodes, .features = 10000, .samples = 200, .rank = 30};
      measure(spec, static_cast<std::uint64_t>(seed), options, seen);
      steps.next();
    }
  }
  return {.table = seen.table(),
          .summaries = {seen.summary("messages, default"), seen.summary("messages, printed")},
          .pictures = {{"", chart_of(seen, "default")}, {"printed", chart_of(seen, "printed")}},
          .notes = {fmt::format("converged: E is, and stays, below {}; what never gets there is left out",
                                small_enough),
                    "every message counts: a broadcast to N - 1 neighbours is N - 1 of them, and those of a "
                    "fast master are shared by all nodes"}};
}

}  // namespace choir
