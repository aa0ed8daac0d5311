// MNIST as five streams: all digits at every node, or two at each.
#include <utility>

#include <fmt/format.h>

#include "choir/base/stopwatch.h"
#include "choir/experiment/digits.h"
#include "choir/experiment/measurements.h"
#include "choir/experiment/online_kernel/experiments.h"
#include "choir/experiment/online_kernel/quality.h"
#include "choir/experiment/online_kernel/trace.h"
#include "choir/experiment/online_kernel/trial.h"
#include "choir/experiment/steps.h"
#include "choir/graph/topology.h"

namespace choir {
namespace {

constexpr Purpose hold_out_purpose("online-experiment-digits");
constexpr Index node_count = 5;
constexpr Index digit_count = 10;
constexpr double brightest = 255;

struct Sizes {
  Index train = 12'000;
  Index test = 10'000;
  Index passes = 3;
};

Sizes sizes_of(const ExperimentOptions& options) {
  if (options.quick) return {.train = 1500, .test = 500, .passes = 2};
  return {};
}

struct Digits {
  TargetedSamples train;
  TargetedSamples test;
};

Digits split_digits(const Dataset& digits, const Sizes& sizes, std::uint64_t seed) {
  Rng random(seed, hold_out_purpose);
  const std::vector<Index> drawn = random.choose(sizes.train + sizes.test, digits.size());
  const auto take = [&](Index begin, Index count) {
    TargetedSamples part{.samples = Samples(digits.features(), count), .targets = Vector(count)};
    for (Index n = 0; n < count; ++n) {
      const Index place = drawn[static_cast<std::size_t>(begin + n)];
      part.samples.col(n) = digits.samples.col(place) / brightest;
      part.targets(n) = static_cast<double>(digits.labels[static_cast<std::size_t>(place)]);
    }
    return part;
  };
  return {.train = take(0, sizes.train), .test = take(sizes.train, sizes.test)};
}

OnlineKernelOptions method_of(OnlineConsensus form, const ExperimentOptions& options) {
  OnlineKernelOptions method;
  method.consensus = form;
  method.gamma = {.rule = GammaRule::number, .value = 0.02};
  method.classes = first_classes(digit_count);
  method.max_atoms = options.quick ? 100 : 300;
  return method;
}

struct Setting {
  OnlineConsensus form = OnlineConsensus::diffusion;
  bool two_digits = false;

  std::string name() const {
    return fmt::format("{}, {}", to_string(form), two_digits ? "two digits a node" : "all digits");
  }
};

const std::vector<Setting>& settings() {
  static const std::vector<Setting> list = [] {
    std::vector<Setting> all;
    for (const bool two_digits : {false, true}) {
      for (const OnlineConsensus form : all_forms()) all.push_back({form, two_digits});
    }
    return all;
  }();
  return list;
}

NodeParts parts_of(const Digits& digits, bool two_digits, std::uint64_t seed) {
  if (!two_digits) return dealt(digits.train, node_count, seed);
  NodeParts parts = two_classes_each(digits.train, {.nodes = node_count, .classes = digit_count}, seed);
  cut_to_shortest(parts);
  return parts;
}

void measure(const Digits& digits, const Setting& setting, std::uint64_t seed,
             const ExperimentOptions& options, Measurements& seen) {
  const OnlineKernelOptions method = method_of(setting.form, options);
  const Index passes = sizes_of(options).passes;
  NodeParts parts = parts_of(digits, setting.two_digits, seed);
  const Index samples = parts.front().targets.size() * passes;
  const auto rounds = static_cast<std::uint64_t>((samples + method.batch - 1) / method.batch);
  OnlineTrace trace(node_count, every(rounds / static_cast<std::uint64_t>(2 * passes), rounds));
  const Stopwatch clock;
  const OnlineKernelFit fit =
      run_online(make_topology("ring:2", node_count, seed), streams_of(std::move(parts), passes), method,
                 options, trace.hooks());
  const double seconds = clock.seconds();
  for (const OnlineMoment& moment : trace.moments()) {
    const OverNodes right = accuracy(moment.nodes, digits.test);
    const std::string at = fmt::format("{}", moment.samples());
    seen.add(at, setting.name(), "accuracy", right.mean);
    seen.add(at, setting.name(), "worst node", right.worst);
  }
  const auto add = [&](const char* quantity, double value) {
    seen.add("end", setting.name(), quantity, value);
  };
  const std::vector<OnlineState> states = states_of(fit);
  add("accuracy at the end", accuracy(states, digits.test).mean);
  add("worst node at the end", accuracy(states, digits.test).worst);
  add("model order", model_order(states).mean);
  add("seconds", seconds);
  add("samples a second", static_cast<double>(samples * node_count) / seconds);
  add("MiB sent a node", static_cast<double>(fit.report.ledger.total().bytes) / 1048576 / node_count);
}

LineChart chart_of(const Measurements& seen, bool two_digits) {
  LineChart chart{.title = fmt::format("online-kernel/mnist: {}",
                                       two_digits ? "two digits a node" : "all digits at every node"),
                  .x = {.title = "samples a node"},
                  .y = {.title = "accuracy of the worst node", .from = 0, .to = 1},
                  .series = {}};
  for (const Setting& setting : settings()) {
    if (setting.two_digits != two_digits) continue;
    Series line = seen.line(setting.name(), "worst node");
    line.name = name_of(setting.form);
    chart.series.push_back(std::move(line));
  }
  return chart;
}

}  // namespace

ExperimentResult online_kernel_mnist(const ExperimentOptions& options) {
  const Dataset all = read_digits(options, {});
  const Index seeds = repetitions(options);
  Steps steps(options.watch, "online-kernel/mnist", settings().size() * static_cast<std::size_t>(seeds));
  Measurements seen("samples a node");
  for (Index seed = 0; seed < seeds; ++seed) {
    const Digits digits = split_digits(all, sizes_of(options), static_cast<std::uint64_t>(seed));
    for (const Setting& setting : settings()) {
      measure(digits, setting, static_cast<std::uint64_t>(seed), options, seen);
      steps.next();
    }
  }
  return {.table = seen.table(),
          .summaries = {seen.summary("accuracy"), seen.summary("worst node"),
                        seen.summary("accuracy at the end"), seen.summary("worst node at the end"),
                        seen.summary("model order"), seen.summary("seconds"),
                        seen.summary("samples a second"), seen.summary("MiB sent a node")},
          .pictures = {{"", chart_of(seen, false)}, {"two-digits", chart_of(seen, true)}},
          .notes = {"training and test images are drawn without replacement from MNIST's 60,000 training "
                    "images; pixels between 0 and 1; a ring of five nodes",
                    "seconds are those of the run with all nodes in one process, tests on the way left out"}};
}

}  // namespace choir
