// From 100 to 10,000 nodes in one process: what a node costs must not depend on how many there are.
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/base/memory.h"
#include "choir/base/parallel.h"
#include "choir/base/stopwatch.h"
#include "choir/base/text.h"
#include "choir/experiment/consensus_kpca/comparison.h"
#include "choir/experiment/consensus_kpca/experiments.h"
#include "choir/experiment/distorted_digits.h"
#include "choir/experiment/steps.h"
#include "choir/graph/topology.h"
#include "choir/runtime/engines.h"
#include "choir/runtime/memory_plan.h"

namespace choir {
namespace {

constexpr const char* method_name = "default";
constexpr Index most_central_samples = 10000;  // beyond, the central answer is out of proportion

struct Size {
  Index nodes = 0;
  Index samples = 100;  // of a node
};

struct Setup {
  const ExperimentOptions& options;
  consensus_kpca::Options method;
  std::unique_ptr<Engine> engine;
};

std::vector<Size> sizes_of(const ExperimentOptions& options) {
  if (options.quick) return {{20, 30}, {100, 30}};
  return {{100, 100}, {1000, 100}, {10000, 100}};
}

std::string words(std::uint64_t bytes) { return human_bytes(static_cast<double>(bytes)); }

// What the run will take, images included; says so, and refuses what does not fit before anything is made.
std::uint64_t plan_bytes(const Setup& setup, const Graph& graph, const Size& size, Index features) {
  const NodeRange own = setup.engine->own_nodes(graph.nodes());
  const consensus_kpca::Shape shape{
      .graph = graph, .own = own, .features = features, .samples = [&](NodeId) { return size.samples; }};
  const Contract contract = consensus_kpca::contract(shape, setup.method);
  const MemoryPlan plan = plan_memory(graph, contract, own, resolve_threads(setup.options.threads));
  const std::uint64_t images =
      sizeof(double) * static_cast<std::uint64_t>(size.nodes * size.samples * features);
  const std::uint64_t planned = plan.total() + images;
  const std::uint64_t available = available_memory();
  const std::string sentence = fmt::format("{} nodes need {}, of which {} are their images; {} are available",
                                           size.nodes, words(planned), words(images), words(available));
  if (setup.options.say) setup.options.say(sentence);
  if (planned > available)
    fail(ErrorCategory::OutOfMemory, "consensus-kpca/scale: {}; use a larger machine", sentence);
  return planned;
}

std::vector<Samples> make_shards(const DistortedDigits& source, const Size& size,
                                 const ExperimentOptions& options) {
  std::vector<Samples> shards(static_cast<std::size_t>(size.nodes));
  parallel_for(size.nodes, options.threads, [&](Index node) {
    shards[static_cast<std::size_t>(node)] = source.shard(static_cast<NodeId>(node), size.samples, 0);
  });
  return shards;
}

double mean_gap(const consensus_kpca::Fit& fit) {
  double sum = 0;
  for (const auto& node : fit.nodes) sum += node->consensus_gap(0);
  return sum / static_cast<double>(fit.nodes.size());
}

void add_quality(const consensus_kpca::Fit& fit, const Graph& graph, const std::vector<Samples>& shards,
                 const Setup& setup, const std::string& setting, Measurements& seen) {
  central_kpca::Options options;
  options.n_components.count = 1;
  options.threads = setup.options.threads;
  const central_kpca::Fit central = central_answer(shards, options);
  const consensus_kpca::Quality quality =
      measure_quality(fit, graph, shards, central, {.threads = setup.options.threads});
  seen.add(setting, method_name, "similarity, own", mean_of(quality.similarity_own));
  seen.add(setting, method_name, "similarity, neighbourhood", mean_of(quality.similarity_neighborhood));
  seen.add(setting, method_name, "best in own span", mean_of(quality.yardsticks.oracle));
}

void measure(const DistortedDigits& source, const Size& size, const Setup& setup, Measurements& seen) {
  const Graph graph = make_topology("ring:4", size.nodes, 0);
  const std::uint64_t planned = plan_bytes(setup, graph, size, source.features());
  std::vector<Samples> shards = make_shards(source, size, setup.options);
  const bool central = size.nodes * size.samples <= most_central_samples;
  const std::vector<Samples> kept = central ? shards : std::vector<Samples>();
  RunOptions run;
  run.watch = setup.options.watch;
  const Stopwatch watch;
  const consensus_kpca::Fit fit =
      fit_consensus_kpca(*setup.engine, graph, std::move(shards), setup.method, run);
  const double seconds = watch.seconds();

  const std::string setting = fmt::format("{}", size.nodes);
  const auto nodes = static_cast<double>(size.nodes);
  const auto add = [&](const char* quantity, double value) {
    seen.add(setting, method_name, quantity, value);
  };
  add("milliseconds per node", 1000 * seconds / nodes);
  add("seconds", seconds);
  add("set-up seconds", fit.at(0).setup_seconds);
  add("iteration seconds", fit.at(0).iterate_seconds);
  add("planned MiB", static_cast<double>(planned) / 1048576);
  add("peak MiB", static_cast<double>(peak_memory()) / 1048576);
  add("bytes sent per node", static_cast<double>(fit.report.ledger.total().bytes) / nodes);
  add("consensus gap", mean_gap(fit));
  add("explained variance", fit.at(0).eigenvalues(0) / fit.at(0).trace);
  if (central) add_quality(fit, graph, kept, setup, setting, seen);
}

LineChart chart_of(const Measurements& seen) {
  return {.title = "consensus-kpca/scale: what a node costs",
          .x = {.title = "nodes", .logarithmic = true},
          .y = {.title = "milliseconds per node", .from = 0},
          .series = {seen.line(method_name, "milliseconds per node")}};
}

}  // namespace

ExperimentResult consensus_kpca_scale(const ExperimentOptions& options) {
  Setup setup{.options = options,
              .method = of_length(default_method(), 10),
              .engine = make_engine("local", {.threads = options.threads})};
  setup.method.precision = Precision::float32;
  const DistortedDigits source(read_digits(options, {}).samples);
  const std::vector<Size> sizes = sizes_of(options);
  Steps steps(options.watch, "consensus-kpca/scale", sizes.size());
  Measurements seen("nodes");
  for (const Size& size : sizes) {
    measure(source, size, setup, seen);
    steps.next();
  }
  return {
      .table = seen.table(),
      .summaries = {seen.quantities_of(method_name)},
      .pictures = {{"", chart_of(seen)}},
      .notes = {
          "run once, with seed 0, from the smallest network to the largest; the peak is that of the process "
          "so far",
          "images of all digits, shifted by up to 2 pixels and turned by up to 10 degrees; kernel blocks in "
          "single precision"}};
}

}  // namespace choir
