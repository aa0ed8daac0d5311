#include "choir/experiment/gossip_pca/departures.h"

#include <fmt/format.h>

#include "choir/experiment/digits.h"
#include "choir/experiment/steps.h"

namespace choir {
namespace {

Index first_of_the_tenth(Index nodes) { return nodes - nodes / 10; }

void add_excess(const TraceMoment& now, const gossip_pca::Yardstick& yardstick, const Departure& departure,
                const char* quantity, int threads, Measurements& seen) {
  const double error = errors_of(now.nodes, yardstick, departure.method, threads).error;
  seen.add(fmt::format("{}", now.messages), departure.name, quantity, error / yardstick.best_error() - 1);
}

// PCA of what the first nine tenths of the nodes have.
gossip_pca::Yardstick yardstick_of_the_rest(const GossipNetwork& network) {
  GossipNetwork rest = network;
  rest.shards.resize(static_cast<std::size_t>(first_of_the_tenth(network.graph.nodes())));
  return yardstick_of(rest, departure_components);
}

}  // namespace

Index departure_nodes(const ExperimentOptions& options) { return options.quick ? 10 : 100; }

GossipMethod departure_method() {
  GossipMethod method = default_gossip(departure_components);
  method.options.carry = 4 * departure_components;
  return method;
}

std::vector<NodeTime> last_tenth(Index nodes, Duration at) {
  std::vector<NodeTime> times;
  for (Index node = first_of_the_tenth(nodes); node < nodes; ++node) {
    times.push_back({.node = static_cast<NodeId>(node), .at = at});
  }
  return times;
}

Measurements measure_departures(const ExperimentOptions& options, const std::string& stage,
                                const std::vector<Departure>& departures, double messages) {
  const Dataset digits = read_digits(options, {});
  const Index seeds = repetitions(options);
  Steps steps(options.watch, stage, departures.size() * static_cast<std::size_t>(seeds));
  Measurements seen("messages a node");
  for (Index seed = 0; seed < seeds; ++seed) {
    const GossipNetwork network =
        digit_network(digits, departure_nodes(options), DigitOrder::sorted, static_cast<std::uint64_t>(seed));
    const gossip_pca::Yardstick all = yardstick_of(network, departure_components);
    const gossip_pca::Yardstick rest = yardstick_of_the_rest(network);
    for (const Departure& departure : departures) {
      const auto look = [&](const TraceMoment& now) {
        add_excess(now, all, departure, against_all, options.threads, seen);
        add_excess(now, rest, departure, against_rest, options.threads, seen);
      };
      GossipTrace trace({.nodes = network.graph.nodes(),
                         .points = trace_points(messages),
                         .look = look,
                         .crashes = departure.sim.crashes});
      gossip_pca::Options observed = departure.method.options;
      observed.messages = static_cast<Index>(messages);
      observed.observe = trace.observer();
      run_gossip(network, observed, departure.sim, quiet(options));
      trace.finish();
      steps.next();
    }
  }
  return seen;
}

LineChart departure_chart(const Measurements& seen, const std::string& title, const std::string& quantity,
                          const std::vector<Departure>& departures) {
  std::vector<std::string> names;
  for (const Departure& departure : departures) names.push_back(departure.name);
  LineChart chart = error_chart(seen, title, quantity, names);
  chart.y.title = quantity == against_all ? "(E - E*) / E*, against all samples"
                                          : "(E - E*) / E*, against the other nodes' samples";
  return chart;
}

}  // namespace choir
