// Nodes that see two of five classes: what they know of the other three at the end.
#include <fmt/format.h>

#include "choir/experiment/measurements.h"
#include "choir/experiment/online_kernel/experiments.h"
#include "choir/experiment/online_kernel/quality.h"
#include "choir/experiment/online_kernel/trial.h"

namespace choir {
namespace {

constexpr const char* skew_series = "all";

void measure(const MixtureTrial& trial, online_kernel::Consensus form, const ExperimentOptions& options,
             Measurements& seen) {
  constexpr Index nodes = 10;
  const online_kernel::Options method = mixture_options(form);
  const TwoClasses spec{.nodes = nodes,
                        .classes = GaussianMixture::class_count,
                        .count = (options.quick ? 50 : 156) * method.batch};
  const online_kernel::Fit fit =
      run_online(random_network(nodes, trial.seed),
                 streams_of(two_classes_each(trial.train, spec, trial.seed)), method, options);
  const std::vector<online_kernel::State> states = states_of(fit);
  const OverNodes right = accuracy(states, trial.test);
  const auto add = [&](const char* quantity, double value) {
    seen.add(name_of(form), skew_series, quantity, value);
  };
  add("accuracy", right.mean);
  add("accuracy / Bayes", right.mean / trial.bayes);
  add("worst node / Bayes", right.worst / trial.bayes);
  add("model order", model_order(states).mean);
  add("MiB sent a node",
      static_cast<double>(fit.report.ledger.total().bytes) / 1048576 / static_cast<double>(nodes));
}

}  // namespace

ExperimentResult online_kernel_skew(const ExperimentOptions& options) {
  Measurements seen("consensus");
  for_each_form(options, "online-kernel/skew", [&](const MixtureTrial& trial, online_kernel::Consensus form) {
    measure(trial, form, options, seen);
  });
  Bars mean = seen.bars(skew_series, "accuracy / Bayes");
  mean.name = "mean over nodes";
  Bars worst = seen.bars(skew_series, "worst node / Bayes");
  worst.name = "worst node";
  const BarChart chart{.title = "online-kernel/skew: two of five classes a node",
                       .x = {.title = "consensus"},
                       .y = {.title = "accuracy / Bayes", .from = 0, .to = 1},
                       .groups = seen.settings(),
                       .bars = {mean, worst},
                       .lines = {}};
  return {.table = seen.table(),
          .summaries = {seen.quantities_of(skew_series)},
          .pictures = {{"", chart}},
          .notes = {"node i draws from the classes 2i and 2i + 1 modulo 5, with replacement"}};
}

}  // namespace choir
