// Values of a wave in the plane: nodes that see a strip of it each, and nodes that see all of it.
#include <fmt/format.h>

#include "choir/experiment/measurements.h"
#include "choir/experiment/online_kernel/experiments.h"
#include "choir/experiment/online_kernel/quality.h"
#include "choir/experiment/online_kernel/trial.h"
#include "choir/experiment/steps.h"

namespace choir {
namespace {

constexpr Index regression_nodes = 8;
constexpr double noise = 0.05;
constexpr std::uint64_t nobody = regression_nodes;  // draws the test samples

online_kernel::Options method_of(online_kernel::Consensus form) {
  online_kernel::Options method = mixture_options(form);
  method.loss = online_kernel::Loss::squared;
  method.classes = {};
  method.eta = {};
  return method;
}

NodeParts parts_of(bool strips, Index count, std::uint64_t seed) {
  NodeParts parts;
  for (NodeId node = 0; node < regression_nodes; ++node) {
    const Strip strip = strips ? strip_of(node, regression_nodes) : Strip{};
    parts.push_back(wave(count, strip, noise, seed, static_cast<std::uint64_t>(node)));
  }
  return parts;
}

void measure(bool strips, std::uint64_t seed, const ExperimentOptions& options, Measurements& seen) {
  const std::string setting = strips ? "strips" : "like nodes";
  const Index count = options.quick ? 1600 : 4992;
  const TargetedSamples truth = wave(2500, {}, 0, seed, nobody);
  const Graph graph = random_network(regression_nodes, seed);
  double alone = 0;
  for (const online_kernel::Consensus form :
       {online_kernel::Consensus::none, online_kernel::Consensus::diffusion}) {
    const online_kernel::Fit fit =
        run_online(graph, streams_of(parts_of(strips, count, seed)), method_of(form), options);
    const std::vector<online_kernel::State> states = states_of(fit);
    const OverNodes error = rmse(states, truth);
    const auto add = [&](const char* quantity, double value) {
      seen.add(setting, name_of(form), quantity, value);
    };
    add("RMSE", error.mean);
    add("RMSE, worst node", error.worst);
    add("model order", model_order(states).mean);
    if (form == online_kernel::Consensus::none) alone = error.mean;
    add("RMSE / alone", error.mean / alone);
  }
}

}  // namespace

ExperimentResult online_kernel_regression(const ExperimentOptions& options) {
  const Index seeds = repetitions(options);
  Steps steps(options.watch, "online-kernel/regression", 2 * static_cast<std::size_t>(seeds));
  Measurements seen("samples of a node");
  for (Index seed = 0; seed < seeds; ++seed) {
    for (const bool strips : {true, false}) {
      measure(strips, static_cast<std::uint64_t>(seed), options, seen);
      steps.next();
    }
  }
  const BarChart chart{.title = "online-kernel/regression: y = sin(2 x1) cos(1.5 x2)",
                       .x = {},
                       .y = {.title = "RMSE, mean over nodes", .from = 0},
                       .groups = seen.settings(),
                       .bars = {seen.bars(name_of(online_kernel::Consensus::none), "RMSE"),
                                seen.bars(name_of(online_kernel::Consensus::diffusion), "RMSE")},
                       .lines = {}};
  return {
      .table = seen.table(),
      .summaries = {seen.summary("RMSE"), seen.summary("RMSE, worst node"), seen.summary("RMSE / alone"),
                    seen.summary("model order")},
      .pictures = {{"", chart}},
      .notes = {"RMSE to the wave without noise on all of [-2, 2]^2; samples have noise of deviation .05"}};
}

}  // namespace choir
