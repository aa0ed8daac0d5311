// MNIST as five streams: all digits at every node, or two at each.
#include <utility>

#include <fmt/format.h>

#include "choir/experiment/cpu_time.h"
#include "choir/experiment/digits.h"
#include "choir/experiment/measurements.h"
#include "choir/experiment/online_kernel/experiments.h"
#include "choir/experiment/online_kernel/quality.h"
#include "choir/experiment/online_kernel/trace.h"
#include "choir/experiment/online_kernel/trial.h"
#include "choir/experiment/steps.h"
#include "choir/graph/topology.h"
#include "choir/learn/online_kernel/losses.h"

namespace choir {
namespace {

constexpr Purpose hold_out_purpose("online-experiment-digits");
constexpr double brightest = 255;

struct Sizes {
  std::vector<std::int64_t> digits = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  Index train = 12'000;
  Index test = 10'000;
  Index passes = 8;
  Index max_atoms = 300;
  std::string topology = "ring:2";

  Index classes() const { return static_cast<Index>(digits.size()); }
  Index nodes() const { return classes() / 2; }
};

Sizes sizes_of(const ExperimentOptions& options) {
  if (!options.quick) return {};
  return {.digits = {0, 3, 5, 8},
          .train = 1000,
          .test = 500,
          .passes = 2,
          .max_atoms = 60,
          .topology = "complete"};
}

struct Digits {
  TargetedSamples train;
  TargetedSamples test;
};

// Targets are places among the digits.
Digits split_digits(const Dataset& all, const Sizes& sizes, std::uint64_t seed) {
  Rng random(seed, hold_out_purpose);
  const std::vector<Index> drawn = random.choose(sizes.train + sizes.test, all.size());
  const auto take = [&](Index begin, Index count) {
    TargetedSamples part{.samples = Samples(all.features(), count), .targets = Vector(count)};
    for (Index n = 0; n < count; ++n) {
      const Index place = drawn[static_cast<std::size_t>(begin + n)];
      part.samples.col(n) = all.samples.col(place) / brightest;
      part.targets(n) = static_cast<double>(all.labels[static_cast<std::size_t>(place)]);
    }
    part.targets = online_kernel::places_of(part.targets, sizes.digits);
    return part;
  };
  return {.train = take(0, sizes.train), .test = take(sizes.train, sizes.test)};
}

struct DigitSetting {
  online_kernel::Consensus form = online_kernel::Consensus::diffusion;
  bool two_digits = false;
  bool default_steps = false;

  std::string method() const { return name_of(form) + (default_steps ? ", default steps" : ""); }
  std::string name() const { return method() + (two_digits ? ", two digits a node" : ", all digits"); }
};

const std::vector<DigitSetting>& digit_settings() {
  static const std::vector<DigitSetting> list = [] {
    std::vector<DigitSetting> all;
    for (const bool two_digits : {false, true}) {
      for (const online_kernel::Consensus form : all_forms())
        all.push_back({.form = form, .two_digits = two_digits});
      all.push_back({.two_digits = two_digits, .default_steps = true});
    }
    return all;
  }();
  return list;
}

// Images are hardly alike, k(x,y) is small: steps may be, and have to be, longer than the paper's 3.
online_kernel::Options method_of(const DigitSetting& setting, const Sizes& sizes) {
  online_kernel::Options method;
  method.representation = online_kernel::Representation::dictionary;
  method.consensus = setting.form;
  method.gamma = {.rule = GammaRule::number, .value = 0.02};
  method.classes = first_classes(sizes.classes());
  method.max_atoms = sizes.max_atoms;
  if (setting.default_steps) return method;
  method.eta = 30;
  method.epsilon = 0.1;
  return method;
}

NodeParts parts_of(const Digits& digits, const Sizes& sizes, bool two_digits, std::uint64_t seed) {
  if (!two_digits) return dealt(digits.train, sizes.nodes(), seed);
  NodeParts parts =
      two_classes_each(digits.train, {.nodes = sizes.nodes(), .classes = sizes.classes()}, seed);
  cut_to_shortest(parts);
  return parts;
}

void measure(const Digits& digits, const DigitSetting& setting, std::uint64_t seed,
             const ExperimentOptions& options, Measurements& seen) {
  const Sizes sizes = sizes_of(options);
  const online_kernel::Options method = method_of(setting, sizes);
  NodeParts parts = parts_of(digits, sizes, setting.two_digits, seed);
  const Index samples = parts.front().targets.size() * sizes.passes;
  const std::uint64_t rounds = rounds_of(samples, method.batch);
  OnlineTrace trace(sizes.nodes(), every(rounds_of(samples / sizes.passes, method.batch), rounds));
  const double before = cpu_seconds();
  const online_kernel::Fit fit =
      run_online(make_topology(sizes.topology, sizes.nodes(), seed),
                 streams_of(std::move(parts), sizes.passes), method, options, trace.hooks());
  const double seconds = cpu_seconds() - before;
  for (const OnlineMoment& moment : trace.moments()) {
    const OverNodes right = accuracy(moment.nodes, digits.test);
    const std::string at = fmt::format("{}", moment.samples());
    seen.add(at, setting.name(), "accuracy", right.mean);
    seen.add(at, setting.name(), "worst node", right.worst);
  }
  const auto add = [&](const char* quantity, double value) {
    seen.add("end", setting.name(), quantity, value);
  };
  const std::vector<online_kernel::State> states = states_of(fit);
  add("accuracy at the end", accuracy(states, digits.test).mean);
  add("worst node at the end", accuracy(states, digits.test).worst);
  add("model order", model_order(states).mean);
  add("CPU seconds", seconds);
  add("samples a CPU second", static_cast<double>(samples * sizes.nodes()) / seconds);
  add("MiB sent a node",
      static_cast<double>(fit.report.ledger.total().bytes) / 1048576 / static_cast<double>(sizes.nodes()));
}

LineChart chart_of(const Measurements& seen, bool two_digits) {
  LineChart chart{.title = fmt::format("online-kernel/mnist: {}",
                                       two_digits ? "two digits a node" : "all digits at every node"),
                  .x = {.title = "samples a node"},
                  .y = {.title = "accuracy of the worst node"},
                  .series = {}};
  if (two_digits) chart.y.from = 0;
  for (const DigitSetting& setting : digit_settings()) {
    if (setting.two_digits != two_digits) continue;
    Series line = seen.line(setting.name(), "worst node");
    line.name = setting.method();
    chart.series.push_back(std::move(line));
  }
  return chart;
}

}  // namespace

ExperimentResult online_kernel_mnist(const ExperimentOptions& options) {
  const Dataset all = read_digits(options, sizes_of(options).digits);
  const Index seeds = repetitions(options);
  Steps steps(options.watch, "online-kernel/mnist",
              digit_settings().size() * static_cast<std::size_t>(seeds));
  Measurements seen("samples a node");
  for (Index seed = 0; seed < seeds; ++seed) {
    const Digits digits = split_digits(all, sizes_of(options), static_cast<std::uint64_t>(seed));
    for (const DigitSetting& setting : digit_settings()) {
      measure(digits, setting, static_cast<std::uint64_t>(seed), options, seen);
      steps.next();
    }
  }
  return {.table = seen.table(),
          .summaries = {seen.summary("accuracy"), seen.summary("worst node"),
                        seen.summary("accuracy at the end"), seen.summary("worst node at the end"),
                        seen.summary("model order"), seen.summary("CPU seconds"),
                        seen.summary("samples a CPU second"), seen.summary("MiB sent a node")},
          .pictures = {{"", chart_of(seen, false)}, {"two-digits", chart_of(seen, true)}},
          .notes = {"training and test images are drawn without replacement from MNIST's 60,000 training "
                    "images; pixels between 0 and 1; a ring of five nodes; nodes with "
                    "two digits see equally many images, so that streams end together",
                    "CPU seconds are those of the run, all nodes together; tests on the way are left out"}};
}

}  // namespace choir
