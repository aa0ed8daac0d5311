// What a simulated network costs: 60,000 digits, 10 components, 25 messages a node.
#include <fmt/format.h>

#include "choir/base/memory.h"
#include "choir/base/stopwatch.h"
#include "choir/experiment/cpu_time.h"
#include "choir/experiment/digits.h"
#include "choir/experiment/gossip_pca/convergence.h"
#include "choir/experiment/gossip_pca/experiments.h"
#include "choir/experiment/steps.h"

namespace choir {
namespace {

constexpr const char* method_name = "default";
constexpr Index scale_components = 10;
constexpr Index messages = 25;

void measure(const Dataset& digits, Index nodes, const ExperimentOptions& options, Measurements& seen) {
  const GossipNetwork network = digit_network(digits, nodes, DigitOrder::random, 0);
  GossipMethod method = default_gossip(scale_components);
  method.options.messages_per_node = messages;
  const double cpu_before = cpu_seconds();
  const Stopwatch watch;
  const gossip_pca::Fit fit = run_gossip(network, method.options, swift_network(), quiet(options));
  const double seconds = watch.seconds();
  const double cpu = cpu_seconds() - cpu_before;
  double merging = 0;
  double received = 0;
  for (const auto& node : fit.nodes) {
    merging += node->merge_seconds;
    received += static_cast<double>(node->received);
  }
  const gossip_pca::Quality quality = yardstick_of(network, scale_components).measure(fit);
  const auto add = [&](const char* quantity, double value) {
    seen.add(fmt::format("{}", nodes), method_name, quantity, value);
  };
  add("seconds", seconds);
  add("CPU seconds", cpu);
  add("merges a second", received / seconds);
  add("share of the time in merges", merging / seconds);
  add("peak MiB", static_cast<double>(peak_memory()) / 1048576);
  add("MiB sent a node",
      static_cast<double>(fit.report.ledger.total().bytes) / 1048576 / static_cast<double>(nodes));
  add("excess error", quality.excess_error);
}

}  // namespace

ExperimentResult gossip_pca_scale(const ExperimentOptions& options) {
  const Dataset digits = read_digits(options, {});
  const std::vector<Index> sizes =
      options.quick ? std::vector<Index>{10, 20} : std::vector<Index>{100, 300, 1000};
  Steps steps(options.watch, "gossip-pca/scale", sizes.size());
  Measurements seen("nodes");
  for (const Index nodes : sizes) {
    measure(digits, nodes, options, seen);
    steps.next();
  }
  const LineChart chart{.title = "gossip-pca/scale: digits, q = 10, 25 messages a node, one thread",
                        .x = {.title = "nodes", .logarithmic = true},
                        .y = {.title = "CPU seconds", .from = 0},
                        .series = {seen.line(method_name, "CPU seconds")}};
  return {.table = seen.table(),
          .summaries = {seen.quantities_of(method_name)},
          .pictures = {{"", chart}},
          .notes = {"run once, with seed 0, from the smallest network to the largest; the peak is that of "
                    "the process so far, images included"}};
}

}  // namespace choir
