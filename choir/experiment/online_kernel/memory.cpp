// A long stream: the memory of the process must not grow with it.
#include "choir/base/memory.h"

#include <fmt/format.h>

#include "choir/base/stopwatch.h"
#include "choir/experiment/measurements.h"
#include "choir/experiment/online_kernel/experiments.h"
#include "choir/experiment/online_kernel/quality.h"
#include "choir/experiment/online_kernel/trial.h"
#include "choir/experiment/steps.h"

namespace choir {
namespace {

constexpr Purpose stream_purpose("online-experiment-long");
constexpr const char* series_name = "diffusion";
constexpr Index memory_nodes = 10;
constexpr double mebibyte = 1048576;

SampleStreams long_streams(const GaussianMixture& mixture, std::uint64_t count, std::uint64_t seed) {
  SampleStreams streams;
  for (std::uint64_t node = 0; node < memory_nodes; ++node) {
    streams.push_back(drawn_stream(
        2, count, [&mixture, random = Rng(seed, stream_purpose, node)](Eigen::Ref<Vector> sample) mutable {
          return mixture.draw(sample, random);
        }));
  }
  return streams;
}

// Looks at the process whenever node 0 has seen so many samples.
class MemoryWatch {
 public:
  MemoryWatch(std::vector<std::uint64_t> points, const Watch& watch, Measurements& seen)
      : points_(std::move(points)), steps_(watch, "online-kernel/memory", points_.size()), seen_(seen) {}

  online_kernel::Hooks hooks() {
    return {.after_round = [this](const online_kernel::Round& round, const online_kernel::State&) {
      if (round.node == 0) look(round);
    }};
  }

 private:
  void look(const online_kernel::Round& round) {
    if (next_ == points_.size() || round.samples < points_[next_]) return;
    const std::string setting = fmt::format("{}", points_[next_++]);
    seen_.add(setting, series_name, "resident MiB", static_cast<double>(resident_memory()) / mebibyte);
    seen_.add(setting, series_name, "model order of node 0", static_cast<double>(round.model_order));
    seen_.add(setting, series_name, "seconds", clock_.seconds());
    steps_.next();
  }

  std::vector<std::uint64_t> points_;
  Steps steps_;
  Measurements& seen_;
  Stopwatch clock_;
  std::size_t next_ = 0;
};

std::vector<std::uint64_t> points_of(const ExperimentOptions& options) {
  if (options.quick) return {1000, 5000};
  std::vector<std::uint64_t> points = {10'000, 20'000, 50'000};
  for (std::uint64_t point = 100'000; point <= 1'000'000; point += 100'000) points.push_back(point);
  return points;
}

}  // namespace

ExperimentResult online_kernel_memory(const ExperimentOptions& options) {
  const std::vector<std::uint64_t> points = points_of(options);
  const MixtureTrial trial = mixture_trial(options, 0);
  Measurements seen("samples a node");
  MemoryWatch memory(points, options.watch, seen);
  const online_kernel::Fit fit =
      run_online(random_network(memory_nodes, 0), long_streams(trial.mixture, points.back(), 0),
                 mixture_options(online_kernel::Consensus::diffusion), options, memory.hooks());
  const std::string end = fmt::format("{}", points.back());
  const double first = seen.spread(fmt::format("{}", points.front()), series_name, "resident MiB").mean;
  seen.add(end, series_name, "resident, end / first",
           seen.spread(end, series_name, "resident MiB").mean / first);
  seen.add(end, series_name, "accuracy / Bayes", accuracy(states_of(fit), trial.test).mean / trial.bayes);
  const LineChart chart{.title = "online-kernel/memory: ten nodes in one process",
                        .x = {.title = "samples a node", .logarithmic = true},
                        .y = {.title = "resident MiB", .from = 0},
                        .series = {seen.line(series_name, "resident MiB")}};
  return {.table = seen.table(),
          .summaries = {seen.quantities_of(series_name)},
          .pictures = {{"", chart}},
          .notes = {"run once, with seed 0; samples are drawn when they are asked for"}};
}

}  // namespace choir
