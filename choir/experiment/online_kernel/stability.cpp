// The paper doubles the penalty for ever, which diverges; with the cap it must not.
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/experiment/measurements.h"
#include "choir/experiment/online_kernel/experiments.h"
#include "choir/experiment/online_kernel/quality.h"
#include "choir/experiment/online_kernel/trace.h"
#include "choir/experiment/online_kernel/trial.h"
#include "choir/experiment/steps.h"

namespace choir {
namespace {

constexpr Index least_seeds = 10;

// Nothing: the weights stopped being finite.
std::optional<online_kernel::Fit> run(const Graph& graph, const MixtureTrial& trial,
                                      const online_kernel::Options& method, const ExperimentOptions& options,
                                      const online_kernel::Hooks& hooks) {
  try {
    return run_online(graph, streams_of(permuted(trial.train, graph.nodes(), trial.seed)), method, options,
                      hooks);
  } catch (const Error& error) {
    if (error.category() != ErrorCategory::Numerical) throw;
    return std::nullopt;
  }
}

void measure_stability(const MixtureTrial& trial, online_kernel::Consensus form,
                       const ExperimentOptions& options, Measurements& seen) {
  const Index nodes = options.quick ? 8 : 20;
  const online_kernel::Options method = mixture_options(form);
  const std::uint64_t rounds = rounds_of(trial.train.targets.size(), method.batch);
  OnlineTrace trace(nodes, every(1, rounds));
  const Graph graph = random_network(nodes, trial.seed);
  const auto fit = run(graph, trial, method, options, trace.hooks());
  const auto add = [&](const char* quantity, double value) {
    seen.add(name_of(form), "all", quantity, value);
  };
  add("diverged", fit ? 0 : 1);
  if (!fit) return;
  double largest = 0;
  for (const OnlineMoment& moment : trace.moments()) {
    largest = std::max(largest, largest_score(moment.nodes, trial.test));
  }
  const std::vector<online_kernel::State> states = states_of(*fit);
  add("largest score of any round", largest);
  add("largest score at the end", largest_score(states, trial.test));
  add("disagreement at the end", disagreement(states, graph));
  add("c at the end", states.front().penalty);
  add("accuracy / Bayes", accuracy(states, trial.test).mean / trial.bayes);
  add("worst node / Bayes", accuracy(states, trial.test).worst / trial.bayes);
}

}  // namespace

ExperimentResult online_kernel_stability(const ExperimentOptions& options) {
  const Index seeds = options.quick ? 1 : std::max(options.seeds, least_seeds);
  const std::vector<online_kernel::Consensus> forms = {online_kernel::Consensus::penalty,
                                                       online_kernel::Consensus::symmetric};
  Steps steps(options.watch, "online-kernel/stability", forms.size() * static_cast<std::size_t>(seeds));
  Measurements seen("consensus");
  for (Index seed = 0; seed < seeds; ++seed) {
    const MixtureTrial trial = mixture_trial(options, static_cast<std::uint64_t>(seed));
    for (const online_kernel::Consensus form : forms) {
      measure_stability(trial, form, options, seen);
      steps.next();
    }
  }
  Bars largest = seen.bars("all", "largest score of any round");
  largest.name = "mean of the draws";
  const BarChart chart{.title = "online-kernel/stability: largest |f(x)| of any node, round and sample",
                       .x = {.title = "consensus"},
                       .y = {.title = "largest score", .from = 0},
                       .groups = seen.settings(),
                       .bars = {largest},
                       .lines = {}};
  return {.table = seen.table(),
          .summaries = {seen.quantities_of("all")},
          .pictures = {{"", chart}},
          .notes = {"c begins at .01, doubles every 200 samples and stays below 1 / (2 eta d_max), d_max the "
                    "largest number of "
                    "neighbours"}};
}

}  // namespace choir
