#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/base/memory.h"
#include "choir/cli/federated_arguments.h"
#include "choir/cli/federated_report.h"
#include "choir/cli/fit_data.h"
#include "choir/cli/fit_engine.h"
#include "choir/cli/fit_methods.h"
#include "choir/cli/fit_network.h"
#include "choir/cli/fit_run.h"
#include "choir/cli/run_report.h"
#include "choir/graph/regular.h"
#include "choir/kernel/gram.h"
#include "choir/learn/federated_kmeans/federated_kmeans.h"
#include "choir/learn/federated_kmeans/quality.h"
#include "choir/linalg/columns.h"

namespace choir::cli {
namespace {

bool has_server(const FederatedKmeansOptions& method) { return method.coordination == Coordination::server; }

FederatedKmeansOptions make_plan(const FederatedArguments& arguments, FitRun& run) {
  check_network_options(arguments.fit);
  FederatedKmeansOptions method = method_of(arguments);
  if (has_server(method) && arguments.fit.topology != "auto") {
    throw Error(ErrorCategory::InvalidArgument,
                "with a server the network is a star around it; leave out --topology, or say --coordination "
                "gossip");
  }
  method.watch = run.quiet_watch();
  run.resolve("masks", method.masked ? "on" : "off");
  return method;
}

// A sum is of so many devices at least, and those with too few samples refuse sums without masks; if too many
// do, there is nothing to run for.
void require_answers(const FederatedKmeansOptions& method, const FitData& data) {
  if (data.nodes < method.min_devices) {
    fail(ErrorCategory::InvalidArgument,
         "a sum must be of at least {} devices (--min-devices), or it would show what one of them has, and "
         "there {} {}; use more --nodes",
         method.min_devices, data.nodes == 1 ? "is" : "are", data.nodes);
  }
  const Index fewest = fewest_unmasked(method);
  const auto answering =
      std::count_if(data.sizes.begin(), data.sizes.end(), [&](Index size) { return size > fewest; });
  if (method.masked || answering >= method.min_devices) return;
  fail(ErrorCategory::InvalidArgument,
       "without masks a device with {} samples or fewer does not answer, as its sums would show them, and {} "
       "of {} "
       "devices have more; use a server and --masks on, or fewer landmarks or features (--n-landmarks, "
       "--n-features)",
       fewest, answering, data.nodes);
}

// The server is the last node.
Graph make_federation(const FitOptions& options, const FederatedKmeansOptions& method, Index devices,
                      FitRun& run) {
  if (!has_server(method)) return make_network(options, devices, run);
  run.resolve("topology", "a star around the server");
  return star_graph(devices + 1, static_cast<NodeId>(devices));
}

std::uint64_t announce_memory(const FederatedKmeansOptions& method, const Graph& graph, const FitData& data,
                              const FitOptions& options, ProcessGroup& processes, FitRun& run) {
  const FederatedShape shape{.nodes = graph.nodes(), .features = data.features, .samples = [&](NodeId node) {
                               return node < data.nodes ? data.size_of(node) : 0;
                             }};
  return announce_memory(federated_kmeans_contract(shape, method), graph, options, processes, run);
}

FederatedKmeansFit run_plan(const FederatedKmeansOptions& method, const Graph& graph,
                            std::vector<Samples> shards, const RunOptions& run, Engine& engine) {
  FederatedKmeansFit fit = fit_federated_kmeans(engine, graph, std::move(shards), method, run);
  require_no_crash(fit.report, run.lost_peers);
  return fit;
}

void require_room_for_kernel_matrix(Index samples) {
  const double bytes = 2 * sizeof(double) * static_cast<double>(samples) * static_cast<double>(samples);
  if (bytes < static_cast<double>(available_memory())) return;
  fail(ErrorCategory::OutOfMemory,
       "--yardsticks needs the kernel matrix of all {} samples, {:.1f} GiB with what is computed of it; "
       "leave it out, "
       "or take fewer samples",
       samples, bytes / (1 << 30));
}

// Kernel k-means with the kernel matrix of all samples, the best of as many seedings.
void add_quality(const FederatedKmeansFit& fit, std::vector<Samples> shards,
                 const FederatedKmeansOptions& method, const FitOptions& options, RunResult& result) {
  std::vector<std::int64_t> labels;
  const ClusterModel& model = fit.at(0).model;
  for (std::size_t device = 0; device < shards.size(); ++device) {
    const std::vector<std::int64_t>& own = fit.at(static_cast<NodeId>(device)).labels;
    labels.insert(labels.end(), own.begin(), own.end());
    model.preprocessing.apply(shards[device]);
  }
  const Matrix kernel_matrix =
      gram<double>(model.kernel, side_by_side(shards), side_by_side(shards), {.threads = options.threads});
  const KernelKmeans central = kernel_kmeans(kernel_matrix, {.clusters = method.clusters,
                                                             .n_init = static_cast<int>(method.restarts),
                                                             .max_iter = method.max_iter,
                                                             .seed = options.random_state});
  const double cost = kernel_cost(kernel_matrix, labels, method.clusters);
  result.quality_numbers["cost"] = cost;
  result.quality_numbers["cost_ratio"] = cost / central.cost;
}

void save_node(const FederatedKmeans& fit, const FitData& data, FitRun& run) {
  run.save(fit.node, "shared", fit.model);
  if (fit.node >= data.nodes) return;
  run.save_numbers(fit.node, "labels", fit.labels);
  if (data.rows.empty()) return;
  const std::vector<Index>& rows = data.rows[static_cast<std::size_t>(fit.node - data.own.first)];
  run.save_numbers(fit.node, "rows", std::vector<std::int64_t>(rows.begin(), rows.end()));
}

void fit_federated(CLI::App& command, const FederatedArguments& arguments, Session& session,
                   ProcessGroup& processes) {
  const FitOptions& options = arguments.fit;
  FitRun run(command, options, session, processes);
  const FederatedKmeansOptions method = processes.together([&] { return make_plan(arguments, run); });
  FitData data = read_fit_data(options, processes, {.without_data = has_server(method) ? 1 : 0});
  run.keep_some(data);
  const Graph graph = processes.together([&] {
    require_answers(method, data);
    return make_federation(options, method, data.nodes, run);
  });
  RunResult result;
  result.extra["planned_memory_bytes"] = announce_memory(method, graph, data, options, processes, run);
  std::vector<Samples> shards;
  if (options.yardsticks) {
    require_room_for_kernel_matrix(data.samples);
    shards = data.shards;
  }
  const FederatedKmeansFit fit = processes.together(
      [&] { return run_plan(method, graph, std::move(data.shards), run.run_options(), processes.engine()); });

  describe_data(data, result);
  describe_run(fit.report, graph, options.engine, result);
  describe_traffic(fit.report.ledger, data.nodes, result);
  const std::vector<Json> nodes =
      gather_nodes(numbers_of(fit, {.first = data.own.first, .labels = data.labels}), processes);
  processes.together([&] {
    summarise_federated(nodes, method, result);
    describe_truth(nodes, result);
    if (uses_gamma(method.kernel.kind)) run.resolve("gamma", nodes.front().at("gamma").dump());
    for (const Json& line : round_lines(nodes)) run.record(line);
    run.note(result.extra.at("eigen_route_words").get<std::string>());
    if (options.yardsticks) add_quality(fit, std::move(shards), method, options, result);
    for (const auto& node : fit.nodes) {
      if (node) save_node(*node, data, run);
    }
  });
  run.finish(result, federated_table);
}

}  // namespace

void add_fit_federated_kmeans(CLI::App& fit, Session& session) {
  CLI::App* command = add_command(fit, session, "federated-kmeans",
                                  "kernel k-means over devices that keep their samples and answer a server "
                                  "with sums that it cannot tell apart",
                                  "choir fit federated-kmeans --data datasets/digits.npz:images --labels "
                                  "datasets/digits.npz:labels --nodes 20 "
                                  "--divide 255 --gamma 0.02 --n-clusters 10 --out runs/clusters",
                                  Prints::table);
  auto arguments = std::make_shared<FederatedArguments>();
  add_federated_options(*command, *arguments);
  command->callback([command, arguments, &session] {
    const bool few_messages = arguments->coordination == "gossip" && arguments->method.gossip_messages > 0;
    if (few_messages) arguments->fit.longer = "--messages-per-node";
    fit_on_engine(*command, arguments->fit, session, Network::some,
                  [&](ProcessGroup& processes) { fit_federated(*command, *arguments, session, processes); });
  });
}

}  // namespace choir::cli
