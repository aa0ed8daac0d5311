#include <algorithm>
#include <memory>
#include <optional>
#include <span>

#include "choir/base/error.h"
#include "choir/cli/fit_data.h"
#include "choir/cli/fit_engine.h"
#include "choir/cli/fit_methods.h"
#include "choir/cli/fit_network.h"
#include "choir/cli/fit_run.h"
#include "choir/cli/gossip_arguments.h"
#include "choir/cli/gossip_report.h"
#include "choir/cli/run_report.h"
#include "choir/learn/gossip_pca/gossip_pca.h"
#include "choir/learn/gossip_pca/models.h"
#include "choir/learn/gossip_pca/quality.h"
#include "choir/linalg/columns.h"

namespace choir::cli {
namespace {

// What the nodes run.
struct Plan {
  GossipPcaOptions method;
  std::optional<Stream> stream;
};

Plan make_plan(const GossipArguments& arguments, FitRun& run) {
  check_network_options(arguments.fit);
  Plan plan{.method = method_of(arguments), .stream = stream_of(arguments)};
  plan.method.watch = run.quiet_watch();
  plan.method.keep_iterates = arguments.fit.yardsticks;
  run.resolve("features", std::string(to_string(plan.method.features)));
  if (plan.method.division == Division::coordinates) run.resolve("by", "features");
  return plan;
}

Graph make_gossip_network(FitOptions options, const Plan& plan, Index nodes, FitRun& run) {
  if (options.topology == "auto") options.topology = automatic_topology(plan.method.schedule, nodes);
  return make_network(options, nodes, run);
}

std::uint64_t announce_memory(const Plan& plan, const Graph& graph, const FitData& data,
                              const FitOptions& options, ProcessGroup& processes, FitRun& run) {
  const bool samples = plan.method.division == Division::samples;
  const GossipShape shape{.graph = graph,
                          .features = samples ? data.features : data.samples,
                          .samples = [&](NodeId node) { return data.size_of(node); }};
  return announce_memory(gossip_pca_contract(shape, plan.method), graph, options, processes, run);
}

// Leaves in every shard what is there at the start.
std::vector<SampleFeed> feeds_of(std::vector<Samples>& shards, const Stream& stream) {
  std::vector<SampleFeed> feeds;
  for (Samples& shard : shards) {
    const Index first = std::min(stream.count, shard.cols());
    feeds.push_back(in_batches(shard.rightCols(shard.cols() - first), stream.count, stream.interval));
    shard.conservativeResize(Eigen::NoChange, first);
  }
  return feeds;
}

GossipPcaFit run_plan(const Plan& plan, const Graph& graph, std::vector<Samples> shards,
                      const RunOptions& run, Engine& engine) {
  std::vector<SampleFeed> feeds;
  if (plan.stream) feeds = feeds_of(shards, *plan.stream);
  GossipPcaFit fit = fit_gossip_pca(engine, graph, std::move(shards), plan.method, run, std::move(feeds));
  require_no_crash(fit.report, run.lost_peers);
  return fit;
}

// What the yardstick sees: all samples as the nodes preprocessed and mapped them, a column each; of
// coordinates, which every node preprocesses for itself, all centred rows.
Matrix pooled(std::vector<Samples> shards, const GossipPca& any, const FitOptions& options) {
  if (any.division == Division::samples) {
    for (Samples& shard : shards) any.preprocessing.apply(shard);
    const Samples all = side_by_side(shards);
    return any.map ? any.map->features(all) : Matrix(all);
  }
  std::vector<Samples> rows;
  for (Samples& shard : shards) {
    preprocess(options, shard);
    rows.emplace_back((shard.colwise() - shard.rowwise().mean()).transpose());
  }
  return side_by_side(rows);
}

GossipQuality add_quality(const GossipPcaFit& fit, std::vector<Samples> shards, const FitOptions& options,
                          RunResult& result) {
  const auto any = std::find_if(fit.nodes.begin(), fit.nodes.end(), [](const auto& node) { return node; });
  const bool centre = (*any)->division == Division::samples;
  const GossipYardstick yardstick(pooled(std::move(shards), **any, options), result.n_components, centre);
  GossipQuality quality = yardstick.measure(fit);
  describe_quality(quality, (*any)->division, result);
  return quality;
}

void record_windows(const std::vector<Json>& nodes, const std::vector<std::vector<double>>& errors,
                    FitRun& run) {
  for (const Json& node : nodes) {
    const auto j = node.at("node").get<std::size_t>();
    const std::span<const double> error = j < errors.size() ? errors[j] : std::span<const double>();
    for (const Json& line : window_lines(node, error)) run.record(line);
  }
}

// A part of a model knows which columns of the whole data are its own, if they were dealt out of one file.
void save_node(const GossipPca& fit, const FitData& data, FitRun& run) {
  if (fit.division == Division::samples) return run.save(fit.node, "shared", model_of(fit));
  LinearPart part = part_of(fit);
  part.columns = data.columns_of(fit.node);
  run.save(fit.node, "shared", std::move(part));
}

// What all nodes' weights add up to if nothing is lost: along a tree everybody ends with all of it.
std::optional<double> whole_weight(const Plan& plan, const FitData& data) {
  if (plan.method.half_life) return std::nullopt;
  const Index once = plan.method.division == Division::samples ? data.samples : data.features;
  return static_cast<double>(plan.method.schedule == Schedule::tree ? data.nodes * once : once);
}

void describe_method(const Plan& plan, RunResult& result) {
  result.extra["partition"] = to_string(plan.method.division);
  result.extra["merge"] = to_string(plan.method.merge);
  result.extra["carry"] = carried_directions(plan.method);
  result.extra["schedule"] = to_string(plan.method.schedule);
  result.extra["feature_map"] = to_string(plan.method.features);
}

void fit_gossip(CLI::App& command, const GossipArguments& arguments, Session& session,
                ProcessGroup& processes) {
  const FitOptions& options = arguments.fit;
  FitRun run(command, options, session, processes);
  const Plan plan = processes.together([&] { return make_plan(arguments, run); });
  FitData data = read_fit_data(options, processes,
                               {.division = plan.method.division, .in_file_order = plan.stream.has_value()});
  run.keep_some(data);
  const Graph graph = processes.together([&] { return make_gossip_network(options, plan, data.nodes, run); });
  RunResult result;
  result.extra["planned_memory_bytes"] = announce_memory(plan, graph, data, options, processes, run);
  std::vector<Samples> shards;
  if (options.yardsticks) shards = data.shards;
  const GossipPcaFit fit = processes.together(
      [&] { return run_plan(plan, graph, std::move(data.shards), run.run_options(), processes.engine()); });

  describe_data(data, result);
  describe_run(fit.report, graph, options.engine, result);
  describe_method(plan, result);
  const std::vector<Json> nodes = gather_nodes(numbers_of(fit), processes);
  processes.together([&] {
    summarise_gossip(nodes, whole_weight(plan, data), result);
    if (plan.method.schedule == Schedule::tree) count_tree_messages(result);
    if (plan.method.features != FeatureKind::none && uses_gamma(plan.method.kernel.kind)) {
      run.resolve("gamma", nodes.front().at("gamma").dump());
    }
    GossipQuality quality;
    if (options.yardsticks) quality = add_quality(fit, std::move(shards), options, result);
    record_windows(nodes, quality.error_after, run);
    for (const auto& node : fit.nodes) {
      if (node) save_node(*node, data, run);
    }
  });
  run.finish(result, gossip_table);
}

}  // namespace

void add_fit_gossip_pca(CLI::App& fit, Session& session) {
  CLI::App* command = add_command(
      fit, session, "gossip-pca",
      "PCA or kernel PCA of all nodes' data by gossip: nobody waits, messages may be lost, nodes may die",
      "choir fit gossip-pca --data datasets/digits.npz:images --nodes 20 --n-components 10 --yardsticks "
      "--out runs/gossip",
      Prints::table);
  auto arguments = std::make_shared<GossipArguments>();
  add_gossip_options(*command, *arguments);
  command->callback([command, arguments, &session] {
    fit_on_engine(*command, arguments->fit, session, Network::some,
                  [&](ProcessGroup& processes) { fit_gossip(*command, *arguments, session, processes); });
  });
}

}  // namespace choir::cli
