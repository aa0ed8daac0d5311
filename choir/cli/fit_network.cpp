#include "choir/cli/fit_network.h"

#include <utility>

#include "choir/base/error.h"
#include "choir/base/memory.h"
#include "choir/base/parallel.h"
#include "choir/data/shards.h"
#include "choir/graph/topology.h"
#include "choir/runtime/memory_plan.h"

namespace choir::cli {
namespace {

constexpr std::uint64_t worth_saying = std::uint64_t{1} << 30;  // bytes of planned memory

}  // namespace

void check_network_options(const FitOptions& options) {
  if (!is_shard_pattern(options.data)) options.require_nodes();
  if (options.yardsticks && options.engine == "mpi") {
    throw Error(
        ErrorCategory::InvalidArgument,
        "--yardsticks needs all samples in one place and is not available with --engine mpi; leave it "
        "out, or use --engine local");
  }
}

Graph make_network(const FitOptions& options, Index nodes, FitRun& run) {
  const std::string topology = options.topology_for(nodes);
  run.resolve("topology", topology);
  return make_topology(topology, nodes, options.random_state);
}

std::uint64_t announce_memory(const Contract& contract, const Graph& graph, const FitOptions& options,
                              ProcessGroup& processes, FitRun& run, const std::string& to_need_less) {
  const Json mine = processes.together([&] {
    const int at_once = options.engine == "local" ? resolve_threads(options.threads) : 1;
    const MemoryPlan plan =
        plan_memory(graph, contract, processes.engine().own_nodes(graph.nodes()), at_once);
    const std::uint64_t available = available_memory();
    return Json{
        {"bytes", plan.total()}, {"fits", plan.total() <= available}, {"words", describe(plan, available)}};
  });
  Json most = mine;
  for (const std::string& part : processes.gather(mine.dump())) {
    Json plan = Json::parse(part);
    if (plan.at("bytes") > most.at("bytes")) most = std::move(plan);
  }
  const auto bytes = most.at("bytes").get<std::uint64_t>();
  const auto words = most.at("words").get<std::string>();
  const bool fits = most.at("fits").get<bool>();
  processes.together([&] {
    if (fits || to_need_less.empty()) return;
    fail(ErrorCategory::OutOfMemory, "{}: {}; {}", contract.method, words, to_need_less);
  });
  if (bytes > worth_saying && fits) run.note(words);
  return bytes;
}

void describe_data(const FitData& data, RunResult& result) {
  result.nodes = data.nodes;
  result.samples = data.samples;
  result.features = data.features;
}

std::vector<Json> gather_nodes(const Json& own, ProcessGroup& processes) {
  std::vector<Json> nodes;
  for (const std::string& part : processes.gather(own.dump())) {
    for (Json& node : Json::parse(part)) nodes.push_back(std::move(node));
  }
  processes.together([&] {
    if (nodes.empty()) throw Error(ErrorCategory::PeerLost, "every node crashed; there is no answer to keep");
  });
  return nodes;
}

}  // namespace choir::cli
