#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "choir/cli/fit_data.h"
#include "choir/cli/fit_engine.h"
#include "choir/cli/fit_methods.h"
#include "choir/cli/fit_network.h"
#include "choir/cli/fit_run.h"
#include "choir/cli/gossip_arguments.h"
#include "choir/cli/oneshot_arguments.h"
#include "choir/cli/oneshot_report.h"
#include "choir/cli/run_report.h"
#include "choir/data/shards.h"
#include "choir/graph/regular.h"
#include "choir/learn/oneshot_kpca/oneshot_kpca.h"
#include "choir/learn/oneshot_kpca/quality.h"

namespace choir::cli {
namespace {

OneshotKpcaOptions make_plan(const OneshotArguments& arguments, FitRun& run) {
  check_network_options(arguments.fit);
  OneshotKpcaOptions method = method_of(arguments);
  method.watch = run.quiet_watch();
  run.resolve("by", "features");
  if (effective_estimator(method) != method.estimator) {
    run.resolve("estimator", std::string(to_string(effective_estimator(method))));
  }
  return method;
}

Graph make_oneshot_network(FitOptions options, const OneshotKpcaOptions& method, Index nodes, FitRun& run) {
  if (options.topology != "auto") return make_network(options, nodes, run);
  if (method.fusion == Fusion::center) {
    run.resolve("topology", fmt::format("a star around node {}", method.center));
    return star_graph(nodes, method.center);
  }
  options.topology =
      automatic_topology(method.fusion == Fusion::tree ? Schedule::tree : Schedule::random, nodes);
  return make_network(options, nodes, run);
}

std::uint64_t announce_memory(const OneshotKpcaOptions& method, const Graph& graph, const FitData& data,
                              const FitOptions& options, ProcessGroup& processes, FitRun& run) {
  const OneshotShape shape{
      .graph = graph, .samples = data.samples, .features = [&](NodeId node) { return data.size_of(node); }};
  return announce_memory(oneshot_kpca_contract(shape, method), graph, options, processes, run);
}

// Who the samples are: their keys; rows of one file are numbered; of shards without keys the user answers for
// the order.
std::vector<SampleOrder> orders_of(const FitData& data, bool one_file) {
  std::vector<SampleOrder> orders;
  for (std::size_t i = 0; i < data.shards.size(); ++i) {
    const Index samples = data.shards[i].cols();
    if (!data.keys[i].empty()) {
      orders.push_back({.keys = data.keys[i], .samples = samples});
    } else {
      orders.push_back(one_file ? SampleOrder::numbered(samples) : SampleOrder::assumed(samples));
    }
  }
  return orders;
}

OneshotKpcaFit run_plan(const OneshotKpcaOptions& method, const Graph& graph, FitData& data,
                        const FitOptions& options, const RunOptions& run, Engine& engine) {
  OneshotKpcaFit fit = fit_oneshot_kpca(engine, graph, std::move(data.shards),
                                        orders_of(data, !is_shard_pattern(options.data)), method, run);
  require_no_crash(fit.report, run.lost_peers);
  return fit;
}

KeysByNode left_out_keys(const OneshotKpcaFit& fit, const FitData& data) {
  KeysByNode keys;
  for (const auto& node : fit.nodes) {
    if (!node) continue;
    const std::vector<std::string>& own = data.keys[static_cast<std::size_t>(node->node - data.own.first)];
    for (const Index place : node->left_out) keys[node->node].push_back(own[static_cast<std::size_t>(place)]);
  }
  return keys;
}

void describe_method(const OneshotKpcaOptions& method, RunResult& result) {
  result.extra["estimator"] = to_string(effective_estimator(method));
  result.extra["fusion"] = to_string(method.fusion);
}

void add_quality(const OneshotKpcaFit& fit, const OneshotKpcaOptions& method, const FitOptions& options,
                 RunResult& result) {
  if (!fit.report.crashed.empty()) {
    add_notes({"there are no yardsticks, as the features of nodes that crashed are gone"}, result);
    return;
  }
  const CentralKpcaOptions central = options.kpca_options(method.kernel, method.watch);
  result.quality_numbers["subspace_error"] = subspace_error_of(fit, central);
}

// Of the samples that all parties have, in the order in which the answer has them: that of their keys if
// these were matched, otherwise the data's own.
std::vector<std::int64_t> labels_in_order(const OneshotKpca& fit, const FitData& data, bool matched) {
  const auto place = static_cast<std::size_t>(fit.node - data.own.first);
  const std::vector<std::int64_t>& labels = data.labels[place];
  if (labels.empty() || !matched) return labels;
  const std::vector<std::string>& keys = data.keys[place];
  const std::set<Index> left_out(fit.left_out.begin(), fit.left_out.end());
  std::map<std::string, std::int64_t> by_key;
  for (std::size_t n = 0; n < labels.size(); ++n) {
    if (!left_out.contains(static_cast<Index>(n))) by_key[keys[n]] = labels[n];
  }
  std::vector<std::int64_t> ordered;
  for (const auto& [key, label] : by_key) ordered.push_back(label);
  return ordered;
}

// Every party has all samples, and its own features of them: there is one picture, not one of each.
void draw_samples(const OneshotKpcaFit& fit, const FitData& data, const OneshotKpcaOptions& method,
                  FitRun& run) {
  const auto found = std::ranges::find_if(fit.nodes, [](const auto& node) { return node && node->answer; });
  if (found == fit.nodes.end()) return;
  const OneshotKpca& party = **found;
  run.draw_scores({.node = party.node,
                   .name = method.fusion == Fusion::center
                               ? fmt::format("party {}, which has the answer", party.node)
                               : std::string("every party"),
                   .scores = party.answer->scores,
                   .labels = labels_in_order(party, data, method.match_keys)});
}

void save_node(const OneshotKpca& fit, const FitData& data, FitRun& run) {
  KernelPart part = part_of(fit);
  part.columns = data.columns_of(fit.node);
  run.save(fit.node, "shared", std::move(part));
}

void fit_oneshot(CLI::App& command, const OneshotArguments& arguments, Session& session,
                 ProcessGroup& processes) {
  const FitOptions& options = arguments.fit;
  FitRun run(command, options, session, processes);
  const OneshotKpcaOptions method = processes.together([&] { return make_plan(arguments, run); });
  FitData data = read_fit_data(options, processes, {.division = Division::coordinates, .key = arguments.key});
  const Graph graph =
      processes.together([&] { return make_oneshot_network(options, method, data.nodes, run); });
  RunResult result;
  result.extra["planned_memory_bytes"] = announce_memory(method, graph, data, options, processes, run);
  const OneshotKpcaFit fit = processes.together(
      [&] { return run_plan(method, graph, data, options, run.run_options(), processes.engine()); });

  describe_data(data, result);
  describe_run(fit.report, graph, options.engine, result);
  describe_method(method, result);
  const std::vector<Json> nodes = gather_nodes(numbers_of(fit), processes);
  draw_samples(fit, data, method, run);
  processes.together([&] {
    summarise_oneshot(nodes, result);
    if (method.match_keys) describe_left_out(nodes, left_out_keys(fit, data), result);
    if (uses_gamma(method.kernel.kind)) run.resolve("gamma", nodes.front().at("gamma").dump());
    if (options.yardsticks) add_quality(fit, method, options, result);
    for (const auto& node : fit.nodes) {
      if (node) save_node(*node, data, run);
    }
  });
  run.finish(result, oneshot_table);
}

}  // namespace

void add_fit_oneshot_kpca(CLI::App& fit, Session& session) {
  CLI::App* command = add_command(
      fit, session, "oneshot-kpca",
      "kernel PCA of parties that hold different features of the same samples, with one message a party",
      "choir fit oneshot-kpca --data datasets/digits.npz:images --nodes 4 --divide 255 --n-components 5 "
      "--yardsticks --out runs/oneshot",
      Prints::table);
  auto arguments = std::make_shared<OneshotArguments>();
  add_oneshot_options(*command, *arguments);
  command->callback([command, arguments, &session] {
    fit_on_engine(*command, arguments->fit, session, Network::some,
                  [&](ProcessGroup& processes) { fit_oneshot(*command, *arguments, session, processes); });
  });
}

}  // namespace choir::cli
