// Without a centre: scatters merged along a tree or by gossip, each message carrying q directions.
#include <algorithm>

#include <fmt/format.h>

#include "choir/experiment/digits.h"
#include "choir/experiment/measurements.h"
#include "choir/experiment/oneshot_kpca/data.h"
#include "choir/experiment/oneshot_kpca/experiments.h"
#include "choir/experiment/oneshot_kpca/fusion.h"
#include "choir/experiment/steps.h"
#include "choir/graph/topology.h"
#include "choir/learn/oneshot_kpca/oneshot_kpca.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir {
namespace {

constexpr Index component_count = 10;
constexpr Index sent_to_center = 15;
constexpr const char* sent_quantity = "KiB sent a party";

struct Variant {
  std::string name;
  std::string topology;
  Fusion fusion;
  Estimator estimator = oneshot_kpca::Estimator::product;
  Index messages = oneshot_kpca::Options{}.messages;
  double loss = 0;
};

std::vector<Variant> without_center() {
  return {{.name = "tree", .topology = "tree:2", .fusion = oneshot_kpca::Fusion::tree},
          {.name = "gossip", .topology = "complete", .fusion = oneshot_kpca::Fusion::gossip},
          {.name = "gossip, 10% lost",
           .topology = "complete",
           .fusion = oneshot_kpca::Fusion::gossip,
           .loss = 0.1},
          {.name = "gossip, 10% lost, 120 messages",
           .topology = "complete",
           .fusion = oneshot_kpca::Fusion::gossip,
           .messages = 120,
           .loss = 0.1}};
}

std::vector<Variant> with_center() {
  return {{.name = "centre, product, D_j = 15", .topology = "star", .fusion = oneshot_kpca::Fusion::center},
          {.name = "centre, distances, k = 15",
           .topology = "star",
           .fusion = oneshot_kpca::Fusion::center,
           .estimator = oneshot_kpca::Estimator::distances}};
}

struct Trial {
  Index parties;
  FeatureData data;
  CentralTruth truth;
  std::uint64_t seed;
};

oneshot_kpca::Fit run(const Trial& trial, const Variant& variant, Index directions,
                      const ExperimentOptions& options) {
  oneshot_kpca::Options method;
  method.estimator = variant.estimator;
  method.fusion = variant.fusion;
  method.kernel = trial.data.kernel;
  method.gamma = {.rule = GammaRule::number, .value = trial.data.kernel.gamma};
  method.n_components.count = component_count;
  method.local_components = directions;
  method.messages = variant.messages;
  method.threads = options.threads;
  SimOptions network;
  network.loss = variant.loss;
  SimEngine engine(network);
  const Samples& features = trial.data.features;
  RunOptions run_options;
  run_options.seed = trial.seed;
  run_options.watch = quiet(options);
  return fit_oneshot_kpca(
      engine, make_topology(variant.topology, trial.parties, trial.seed),
      divide(features, even_cuts(features.rows(), trial.parties)),
      std::vector(static_cast<std::size_t>(trial.parties), SampleOrder::numbered(features.cols())), method,
      run_options);
}

struct Outcome {
  double error = 0;  // of the party that is furthest off
  double sent = 0;   // KiB, mean over parties
};

Outcome outcome_of(const oneshot_kpca::Fit& fit, const CentralTruth& truth) {
  constexpr double kibibyte = 1024;
  Outcome outcome;
  for (const auto& party : fit.nodes) {
    if (party->answer) outcome.error = std::max(outcome.error, truth.error(party->answer->vectors));
  }
  outcome.sent = static_cast<double>(fit.report.ledger.total().bytes) /
                 (kibibyte * static_cast<double>(fit.nodes.size()));
  return outcome;
}

void add(const std::string& setting, const std::string& series, const Outcome& outcome, Measurements& seen) {
  seen.add(setting, series, "error", outcome.error);
  seen.add(setting, series, sent_quantity, outcome.sent);
}

void measure(const Trial& trial, const std::vector<Index>& carried, const ExperimentOptions& options,
             Measurements& seen) {
  for (const Variant& variant : without_center()) {
    for (const Index directions : carried) {
      add(fmt::format("{}", directions), variant.name,
          outcome_of(run(trial, variant, directions, options), trial.truth), seen);
    }
  }
  // What goes to a centre does not depend on q: a level line.
  for (const Variant& variant : with_center()) {
    const Outcome outcome = outcome_of(run(trial, variant, sent_to_center, options), trial.truth);
    for (const Index directions : {carried.front(), carried.back()}) {
      add(fmt::format("{}", directions), variant.name, outcome, seen);
    }
  }
}

LineChart chart_of(const Measurements& seen, const char* quantity, const char* y) {
  LineChart chart{.title = "oneshot-kpca/decentralised: 537 images, 28 parties",
                  .x = {.title = "directions carried, q"},
                  .y = {.title = y, .logarithmic = true},
                  .series = {}};
  for (const Variant& variant : without_center()) chart.series.push_back(seen.line(variant.name, quantity));
  for (const Variant& variant : with_center()) {
    chart.series.push_back(seen.line(variant.name, quantity, SeriesStyle::dashed));
  }
  return chart;
}

}  // namespace

ExperimentResult oneshot_kpca_decentralised(const ExperimentOptions& options) {
  const Dataset digits = read_digits(options, {});
  const std::vector<Index> carried =
      options.quick ? std::vector<Index>{15, 45} : std::vector<Index>{15, 30, 45, 60, 75, 90};
  const Index seeds = repetitions(options);
  Steps steps(options.watch, "oneshot-kpca/decentralised", static_cast<std::size_t>(seeds));
  Measurements seen("directions");
  for (Index seed = 0; seed < seeds; ++seed) {
    const auto of_seed = static_cast<std::uint64_t>(seed);
    FeatureData data = digit_images(digits, options.quick ? 80 : 537, of_seed);
    CentralTruth truth(data, component_count, options.threads);
    measure({options.quick ? 10 : 28, std::move(data), std::move(truth), of_seed}, carried, options, seen);
    steps.next();
  }
  return {.table = seen.table(),
          .summaries = {seen.summary("error"), seen.summary(sent_quantity)},
          .pictures = {{"", chart_of(seen, "error", "D - ||V'V^||^2, D = 10, the worst party")},
                       {"traffic", chart_of(seen, sent_quantity, "KiB sent a party, mean")}},
          .notes = {"the error is that of the party that is furthest off; a centre has the only answer",
                    "gossip: 60 messages a party unless said; what is lost is sent again"}};
}

}  // namespace choir
