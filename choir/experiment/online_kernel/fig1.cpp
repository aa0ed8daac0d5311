// Figure 1 of the paper: what happens along the streams. Every node sees all training samples in its own
// order.
#include <fmt/format.h>

#include "choir/experiment/measurements.h"
#include "choir/experiment/online_kernel/experiments.h"
#include "choir/experiment/online_kernel/quality.h"
#include "choir/experiment/online_kernel/trace.h"
#include "choir/experiment/online_kernel/trial.h"

namespace choir {
namespace {

constexpr const char* objective_name = "objective";
constexpr const char* disagreement_name = "disagreement";
constexpr const char* order_name = "model order";

void follow(const MixtureTrial& trial, online_kernel::Consensus form, const ExperimentOptions& options,
            Measurements& seen) {
  const Index nodes = options.quick ? 8 : 20;
  const Graph graph = random_network(nodes, trial.seed);
  const online_kernel::Options method = mixture_options(form);
  const std::uint64_t rounds = rounds_of(trial.train.targets.size(), method.batch);
  OnlineTrace trace(nodes, every(8, rounds));
  const online_kernel::Fit fit =
      run_online(graph, streams_of(permuted(trial.train, nodes, trial.seed)), method, options, trace.hooks());
  for (const OnlineMoment& moment : trace.moments()) {
    const auto add = [&](const char* quantity, double value) {
      seen.add(fmt::format("{}", moment.samples()), name_of(form), quantity, value);
    };
    add(objective_name, objective(moment.nodes, trial.test, method.alpha));
    add(disagreement_name, disagreement(moment.nodes, graph));
    add(order_name, model_order(moment.nodes).mean);
    if (&moment != &trace.moments().back()) continue;
    const OverNodes right = accuracy(moment.nodes, trial.test);
    add("accuracy", right.mean);
    add("accuracy / Bayes", right.mean / trial.bayes);
    add("worst node / Bayes", right.worst / trial.bayes);
    add("MiB sent a node",
        static_cast<double>(fit.report.ledger.total().bytes) / 1048576 / static_cast<double>(nodes));
  }
}

// Without error bars: draws differ more than the forms do, and the table has them.
LineChart chart_of(const Measurements& seen, const char* quantity, const std::string& title,
                   bool logarithmic) {
  LineChart chart{.title = "online-kernel/fig1: " + title,
                  .x = {.title = "samples a node", .from = 0},
                  .y = {.title = quantity, .logarithmic = logarithmic},
                  .series = {}};
  for (const online_kernel::Consensus form : all_forms()) {
    const bool alone = form == online_kernel::Consensus::none;
    chart.series.push_back(
        seen.line(name_of(form), quantity, alone ? SeriesStyle::dashed : SeriesStyle::line));
    chart.series.back().low.clear();
    chart.series.back().high.clear();
  }
  return chart;
}

}  // namespace

ExperimentResult online_kernel_fig1(const ExperimentOptions& options) {
  Measurements seen("samples a node");
  for_each_form(options, "online-kernel/fig1", [&](const MixtureTrial& trial, online_kernel::Consensus form) {
    follow(trial, form, options, seen);
  });
  return {
      .table = seen.table(),
      .summaries = {seen.summary(objective_name), seen.summary(disagreement_name), seen.summary(order_name),
                    seen.summary("accuracy / Bayes"), seen.summary("worst node / Bayes"),
                    seen.summary("MiB sent a node")},
      .pictures = {{"", chart_of(seen, objective_name, "objective, sum over nodes", false)},
                   {"disagreement",
                    chart_of(seen, disagreement_name, "sum over edges of |f_i - f_j|^2", true)},
                   {"order", chart_of(seen, order_name, "atoms of a node, mean over nodes", false)}},
      .notes = {"the expected loss is the mean over the test samples",
                "accuracies are divided by the one of the best of all classifiers on the same test samples"}};
}

}  // namespace choir
