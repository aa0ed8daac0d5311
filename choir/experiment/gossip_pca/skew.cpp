// How many directions nodes have to carry: nodes that see the same, and nodes that see one digit.
#include <fmt/format.h>

#include "choir/experiment/digits.h"
#include "choir/experiment/gossip_pca/convergence.h"
#include "choir/experiment/gossip_pca/experiments.h"
#include "choir/experiment/steps.h"

namespace choir {
namespace {

struct Setting {
  std::string name;
  DigitOrder order;
  Index q;
};

const std::vector<Setting>& settings() {
  static const std::vector<Setting> list = {{"like nodes, q = 3", DigitOrder::random, 3},
                                            {"like nodes, q = 10", DigitOrder::random, 10},
                                            {"sorted by digit, q = 10", DigitOrder::sorted, 10}};
  return list;
}

void measure(const GossipNetwork& network, const Setting& setting, const std::vector<Index>& carries,
             const ExperimentOptions& options, Measurements& seen) {
  const gossip_pca::Yardstick yardstick = yardstick_of(network, setting.q);
  for (const Index carry : carries) {
    if (carry < setting.q) continue;
    GossipMethod method = default_gossip(setting.q);
    method.options.carry = carry;
    const Curve curve = follow(network, yardstick, method,
                               {.points = {20, 25}, .threads = options.threads, .watch = quiet(options)});
    const std::string across = fmt::format("{}", carry);
    for (const CurvePoint& point : curve.points) {
      seen.add(across, setting.name, fmt::format("excess at {} messages", point.messages),
               point.errors.error / yardstick.best_error() - 1);
    }
    seen.add(across, setting.name, "between-node variance", curve.fit.at(0).between_node_variance);
  }
}

}  // namespace

ExperimentResult gossip_pca_skew(const ExperimentOptions& options) {
  const Dataset digits = read_digits(options, {});
  const std::vector<Index> carries =
      options.quick ? std::vector<Index>{10, 20} : std::vector<Index>{3, 5, 8, 10, 15, 20, 30, 40, 60};
  const Index seeds = repetitions(options);
  Steps steps(options.watch, "gossip-pca/skew", settings().size() * static_cast<std::size_t>(seeds));
  Measurements seen("carry");
  for (const Setting& setting : settings()) {
    for (Index seed = 0; seed < seeds; ++seed) {
      const GossipNetwork network =
          digit_network(digits, options.quick ? 10 : 100, setting.order, static_cast<std::uint64_t>(seed));
      measure(network, setting, carries, options, seen);
      steps.next();
    }
  }
  LineChart chart{.title = "gossip-pca/skew: excess error after 25 messages a node",
                  .x = {.title = "directions carried"},
                  .y = {.title = "(E - E*) / E*", .logarithmic = true},
                  .series = {}};
  for (const Setting& setting : settings()) {
    chart.series.push_back(seen.line(setting.name, "excess at 25 messages"));
  }
  return {.table = seen.table(),
          .summaries = {seen.summary("excess at 20 messages"), seen.summary("excess at 25 messages"),
                        seen.summary("between-node variance")},
          .pictures = {{"", chart}},
          .notes = {
              "every node sends 25 messages; the default carries 8 directions for q = 3 and 20 for q = 10"}};
}

}  // namespace choir
