#include "choir/experiment/consensus_kpca/comparison.h"

#include <cmath>
#include <utility>

#include "choir/base/error.h"
#include "choir/base/stopwatch.h"
#include "choir/graph/topology.h"
#include "choir/learn/consensus_kpca/models.h"
#include "choir/linalg/columns.h"
#include "choir/metrics/finite_mean.h"
#include "choir/runtime/engines.h"

namespace choir {
namespace {

consensus_kpca::Options on_digits(Index components) {
  consensus_kpca::Options method;
  method.kernel.kind = KernelKind::rbf;
  method.gamma = {.rule = GammaRule::number, .value = digits_gamma};
  method.n_components.count = components;
  method.share = consensus_kpca::Share::samples;
  return method;
}

// |<w, w*>| = |sum_n c_n <phi(x_n), w>|, c the central coefficients, of the first components; the c add up to
// zero, so it does not matter which mean the scores of w are measured from.
double product_with_central(const central_kpca::Fit& central, const Model& model, int threads) {
  const Matrix scores = transform(model, central.model.points, threads);
  return std::abs(central.model.coefficients.col(0).dot(scores.col(0)));
}

}  // namespace

consensus_kpca::Options printed_method() {
  consensus_kpca::Options method = on_digits(1);
  method.z_step = consensus_kpca::ZStep::paper;
  method.rho.rule = consensus_kpca::Penalty::Rule::schedule;
  method.init = consensus_kpca::Init::local;
  method.centering = consensus_kpca::Centering::local;
  method.guard = 0;
  return of_length(method, 12);
}

consensus_kpca::Options default_method(Index components) { return on_digits(components); }

consensus_kpca::Options of_length(consensus_kpca::Options method, Index iterations) {
  method.tol = 0;
  method.max_iter = iterations;
  return method;
}

central_kpca::Fit central_answer(const std::vector<Samples>& shards, central_kpca::Options options,
                                 const RunOptions& run) {
  options.kernel.kind = KernelKind::rbf;
  options.kernel.gamma = digits_gamma;
  return fit_central_kpca(side_by_side(shards), options, run);
}

Comparison::Comparison(const ExperimentOptions& options)
    : options_(options),
      quiet_{.progress = {}, .stop = options.watch.stop},
      digits_(read_digits(options, {0, 3, 5, 8})) {}

Trial Comparison::trial(const TrialSpec& spec) const {
  Trial trial{.graph = make_topology(spec.topology, spec.deal.nodes, spec.seed),
              .shards = deal_digits(digits_, spec.deal, spec.seed),
              .central = {},
              .central_seconds = 0,
              .seed = spec.seed};
  central_kpca::Options central;
  central.n_components.count = spec.components;
  central.centre = spec.centre;
  const RunOptions run{.seed = spec.seed, .threads = options_.threads, .watch = quiet_};
  const Stopwatch watch;
  trial.central = central_answer(trial.shards, central, run);
  trial.central_seconds = watch.seconds();
  return trial;
}

consensus_kpca::Fit Comparison::fit(const Trial& trial, const consensus_kpca::Options& method) const {
  const auto engine = make_engine("local");
  RunOptions run;
  run.seed = trial.seed;
  run.threads = options_.threads;
  run.watch = quiet_;
  return fit_consensus_kpca(*engine, trial.graph, trial.shards, method, run);
}

Answers Comparison::answer(const Trial& trial, const consensus_kpca::Options& method) const {
  Answers answers;
  const Stopwatch watch;
  answers.fit = fit(trial, method);
  answers.seconds = watch.seconds();
  answers.quality = measure_quality(answers.fit, trial.graph, trial.shards, trial.central,
                                    {.threads = options_.threads, .watch = quiet_});
  return answers;
}

double Comparison::own_similarity(const Trial& trial, const consensus_kpca::Fit& fit) const {
  double sum = 0;
  for (NodeId node = 0; node < trial.graph.nodes(); ++node) {
    const consensus_kpca::NodeResult& answer = fit.at(node);
    const double length = std::sqrt(answer.own_overlap(0, 0));
    sum +=
        product_with_central(trial.central, model_of(answer, consensus_kpca::Answer::own), options_.threads) /
        length;
  }
  return sum / static_cast<double>(trial.graph.nodes());
}

double Comparison::local_similarity(const Trial& trial) const {
  double sum = 0;
  for (const Samples& shard : trial.shards) {
    central_kpca::Options alone;
    alone.kernel = trial.central.model.kernel;
    alone.n_components.count = 1;
    const central_kpca::Fit local = fit_central_kpca(shard, alone, {.threads = 1});
    sum += product_with_central(trial.central, local.model, options_.threads);
  }
  return sum / static_cast<double>(trial.graph.nodes());
}

double mean_of(const Matrix& by_node, Index component) { return finite_mean(by_node.col(component)); }

LineChart similarity_chart(const Measurements& seen, const std::string& title, const std::string& x_title) {
  LineChart chart{.title = title,
                  .x = {.title = x_title},
                  .y = {.title = "similarity to the central direction"},
                  .series = {}};
  for (const char* name : {series::own, series::neighborhood, series::printed, series::local,
                           series::gather_own, series::gather_neighborhood}) {
    chart.series.push_back(seen.line(name, "similarity"));
  }
  chart.series.push_back(seen.line(series::oracle, "similarity", SeriesStyle::dashed));
  return chart;
}

}  // namespace choir
