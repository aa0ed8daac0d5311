// Midway every label begins to stand for the next class: how fast nodes learn that, alone and together.
#include <fmt/format.h>

#include "choir/experiment/measurements.h"
#include "choir/experiment/online_kernel/experiments.h"
#include "choir/experiment/online_kernel/quality.h"
#include "choir/experiment/online_kernel/trace.h"
#include "choir/experiment/online_kernel/trial.h"
#include "choir/experiment/steps.h"

namespace choir {
namespace {

constexpr Index node_count = 10;
constexpr const char* drift_quantity = "accuracy / Bayes";

struct Setting {
  const char* name;
  online_kernel::Consensus form;
  bool two_classes;
};
constexpr Setting settings[] = {{"diffusion", online_kernel::Consensus::diffusion, false},
                                {"none", online_kernel::Consensus::none, false},
                                {"diffusion, two classes a node", online_kernel::Consensus::diffusion, true},
                                {"none, two classes a node", online_kernel::Consensus::none, true}};

NodeParts parts_of(const MixtureTrial& trial, const Setting& setting) {
  constexpr Index classes = GaussianMixture::class_count;
  NodeParts parts =
      setting.two_classes
          ? two_classes_each(trial.train,
                             {.nodes = node_count, .classes = classes, .count = trial.train.targets.size()},
                             trial.seed)
          : permuted(trial.train, node_count, trial.seed);
  rotate_second_halves(parts, classes);
  return parts;
}

void follow(const MixtureTrial& trial, const Setting& setting, const ExperimentOptions& options,
            Measurements& seen) {
  const online_kernel::Options method = mixture_options(setting.form);
  const std::uint64_t rounds = rounds_of(trial.train.targets.size(), method.batch);
  OnlineTrace trace(node_count, every(options.quick ? 5 : 6, rounds));
  run_online(random_network(node_count, trial.seed), streams_of(parts_of(trial, setting)), method, options,
             trace.hooks());
  const TargetedSamples after = rotated(trial.test, GaussianMixture::class_count);
  const auto half = static_cast<std::uint64_t>(trial.train.targets.size() / 2);
  for (const OnlineMoment& moment : trace.moments()) {
    const OverNodes right = accuracy(moment.nodes, moment.samples() <= half ? trial.test : after);
    seen.add(fmt::format("{}", moment.samples()), setting.name, drift_quantity, right.mean / trial.bayes);
    seen.add(fmt::format("{}", moment.samples()), setting.name, "worst node / Bayes",
             right.worst / trial.bayes);
  }
}

}  // namespace

ExperimentResult online_kernel_drift(const ExperimentOptions& options) {
  const Index seeds = repetitions(options);
  Steps steps(options.watch, "online-kernel/drift", std::size(settings) * static_cast<std::size_t>(seeds));
  Measurements seen("samples a node");
  for (Index seed = 0; seed < seeds; ++seed) {
    const MixtureTrial trial = mixture_trial(options, static_cast<std::uint64_t>(seed));
    for (const Setting& setting : settings) {
      follow(trial, setting, options, seen);
      steps.next();
    }
  }
  LineChart chart{.title = "online-kernel/drift: labels change their meaning midway",
                  .x = {.title = "samples a node"},
                  .y = {.title = "accuracy / Bayes, mean over nodes", .from = 0, .to = 1},
                  .series = {}};
  for (const Setting& setting : settings) chart.series.push_back(seen.line(setting.name, drift_quantity));
  return {.table = seen.table(),
          .summaries = {seen.summary(drift_quantity)},
          .pictures = {{"", chart}},
          .notes = {"from the middle of every stream on, label k stands for class k + 1 modulo 5; accuracies "
                    "are by the meaning of that moment"}};
}

}  // namespace choir
