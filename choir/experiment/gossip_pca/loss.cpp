// Lost messages, on nodes that see one digit: with acknowledgements they cost time, without them accuracy.
#include <fmt/format.h>

#include "choir/experiment/digits.h"
#include "choir/experiment/gossip_pca/convergence.h"
#include "choir/experiment/gossip_pca/experiments.h"
#include "choir/experiment/steps.h"

namespace choir {
namespace {

constexpr Index loss_components = 10;

struct LossVariant {
  std::string name;
  double loss;
  bool acknowledged;
  Duration interval = gossip_pca::Options{}.interval;
};

std::vector<LossVariant> loss_variants(const ExperimentOptions& options) {
  std::vector<LossVariant> list = {{"nothing is lost", 0, true}};
  for (const double loss : options.quick ? std::vector<double>{0.1} : std::vector<double>{0.1, 0.2}) {
    list.push_back({fmt::format("{:.0f}% lost, acknowledged", 100 * loss), loss, true});
    list.push_back({fmt::format("{:.0f}% lost, plain", 100 * loss), loss, false});
  }
  // What is lost is sent again after 50 ms: five messages later at the default pace, at once at this one.
  list.push_back({"10% lost, acknowledged, a message a second", 0.1, true, std::chrono::seconds(1)});
  return list;
}

void measure(const GossipNetwork& network, const gossip_pca::Yardstick& yardstick, const LossVariant& variant,
             const ExperimentOptions& options, Measurements& seen) {
  GossipMethod method = default_gossip(loss_components);
  method.options.links =
      variant.acknowledged ? gossip_pca::Delivery::acknowledged : gossip_pca::Delivery::plain;
  method.options.interval = variant.interval;
  SimOptions sim = swift_network();
  sim.loss = variant.loss;
  const Curve curve = follow(network, yardstick, method,
                             {.points = trace_points(options.quick ? 80 : 320),
                              .sim = sim,
                              .threads = options.threads,
                              .watch = quiet(options)});
  for (const CurvePoint& point : curve.points) {
    const std::string setting = fmt::format("{}", point.messages);
    seen.add(setting, variant.name, "error of the mean", point.errors.mean_error);
    seen.add(setting, variant.name, "E", point.errors.error);
  }
  double weight = 0;
  for (const auto& node : curve.fit.nodes) weight += node->weight;
  double samples = 0;
  for (const Samples& shard : network.shards) samples += static_cast<double>(shard.cols());
  seen.add(fmt::format("{}", curve.points.back().messages), variant.name, "mass at the end",
           weight / samples);
}

LineChart chart_of(const Measurements& seen, const ExperimentOptions& options) {
  std::vector<std::string> names;
  for (const LossVariant& variant : loss_variants(options)) names.push_back(variant.name);
  return error_chart(seen, "gossip-pca/loss: nodes sorted by digit, q = 10", "error of the mean", names);
}

}  // namespace

ExperimentResult gossip_pca_loss(const ExperimentOptions& options) {
  const Dataset digits = read_digits(options, {});
  const Index seeds = repetitions(options);
  Steps steps(options.watch, "gossip-pca/loss",
              loss_variants(options).size() * static_cast<std::size_t>(seeds));
  Measurements seen("messages a node");
  for (Index seed = 0; seed < seeds; ++seed) {
    const GossipNetwork network =
        digit_network(digits, options.quick ? 10 : 100, DigitOrder::sorted, static_cast<std::uint64_t>(seed));
    const gossip_pca::Yardstick yardstick = yardstick_of(network, loss_components);
    for (const LossVariant& variant : loss_variants(options)) {
      measure(network, yardstick, variant, options, seen);
      steps.next();
    }
    for (const double point : trace_points(options.quick ? 80 : 320)) {
      seen.add(fmt::format("{}", point), best_name(loss_components), "E", yardstick.best_error());
    }
  }
  return {
      .table = seen.table(),
      .summaries = {seen.summary("error of the mean"), seen.summary("E")},
      .pictures = {{"", chart_of(seen, options)}},
      .notes = {"repetitions and acknowledgements are not among the messages a node",
                "mass: the nodes' weight at the end by the number of all samples; 1 if nothing was lost"}};
}

}  // namespace choir
