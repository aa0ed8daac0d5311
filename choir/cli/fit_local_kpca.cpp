#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/base/stopwatch.h"
#include "choir/cli/fit_data.h"
#include "choir/cli/fit_engine.h"
#include "choir/cli/fit_methods.h"
#include "choir/cli/fit_network.h"
#include "choir/cli/fit_run.h"
#include "choir/cli/run_report.h"
#include "choir/learn/central/local_kpca.h"
#include "choir/learn/central/yardsticks.h"
#include "choir/linalg/columns.h"
#include "choir/report/text_table.h"

namespace choir::cli {
namespace {

using NodeFits = std::vector<std::optional<CentralKpca>>;  // J; nothing: crashed, or in another process

// What the nodes run, and where.
struct Plan {
  Graph graph;
  LocalKpcaOptions method;
  RunOptions run;
};

void check_options(const FitOptions& options) {
  check_network_options(options);
  if (options.component_choice().by_fraction()) {
    throw Error(ErrorCategory::InvalidArgument,
                "nodes that choose their own number of components cannot be compared; say --n-components "
                "with a whole number");
  }
}

Plan make_plan(const FitOptions& options, Index nodes, FitRun& run) {
  Plan plan{.graph = make_network(options, nodes, run), .method = {}, .run = run.run_options()};
  plan.run.watch = run.quiet_watch();
  plan.method.gamma = parse_gamma(options.gamma);
  plan.method.preprocessing = options.preprocessing();
  plan.method.kpca = options.kpca_options(options.kernel_with(1), {});
  return plan;
}

Outcome<CentralKpca> run_plan(const Plan& plan, FitData& data, Engine& engine) {
  const Contract contract = local_kpca_contract(
      data.features, [&](NodeId node) { return data.size_of(node); }, plan.method);
  auto outcome = run_nodes<CentralKpca>(engine, plan.graph, contract, plan.run, [&](Node& node) {
    return local_kpca(node, std::move(data.shard(node.id())), plan.method);
  });
  require_no_crash(outcome.report, plan.run.lost_peers);
  return outcome;
}

// The numbers of the nodes of this process.
Json numbers_of(const NodeFits& fits) {
  Json nodes = Json::array();
  for (std::size_t node = 0; node < fits.size(); ++node) {
    if (!fits[node]) continue;
    const KernelModel& model = fits[node]->model;
    nodes.push_back({{"node", node},
                     {"samples", model.training_samples},
                     {"residual", fits[node]->residual},
                     {"converged", fits[node]->converged},
                     {"eigenvalues", list_of(model.eigenvalues)},
                     {"explained_variance_ratio", list_of(model.explained_variance_ratio())},
                     {"gamma", model.kernel.gamma},
                     {"note", fits[node]->note}});
  }
  return nodes;
}

// The nodes' own answers, in means over nodes.
void summarise(const std::vector<Json>& nodes, RunResult& result) {
  const Index count = vector_of(nodes.front().at("eigenvalues")).size();
  const auto share = 1 / static_cast<double>(nodes.size());
  result.n_components = count;
  result.eigenvalues = Vector::Zero(count);
  result.explained_variance_ratio = Vector::Zero(count);
  result.converged = true;
  result.residual = 0;
  for (const Json& node : nodes) {
    result.eigenvalues += share * vector_of(node.at("eigenvalues"));
    result.explained_variance_ratio += share * vector_of(node.at("explained_variance_ratio"));
    result.converged = *result.converged && node.at("converged").get<bool>();
    result.residual = std::max(*result.residual, node.at("residual").get<double>());
    add_notes({node.at("note").get<std::string>()}, result);
  }
}

// The models' points are the shards as the nodes preprocessed them.
void add_yardsticks(const NodeFits& fits, const Plan& plan, const FitOptions& options, FitRun& run,
                    RunResult& result) {
  std::vector<Samples> shards;
  for (const auto& fit : fits) {
    if (fit) shards.push_back(fit->model.points);
  }
  if (shards.size() != fits.size()) {
    result.notes.push_back("the yardsticks need the samples of all nodes, so there are none after a crash");
    return;
  }
  const CentralKpcaOptions kpca = options.kpca_options(fits.front()->model.kernel, run.quiet_watch());
  const CentralKpca central = central_kernel_pca(side_by_side(shards), kpca);
  describe_yardsticks(
      compute_yardsticks(shards, plan.graph, central,
                         {.kernel = kpca.kernel, .threads = options.threads, .watch = kpca.watch}),
      result);
  add_notes({central.note}, result);
}

std::string quality_table(const RunResult& result) {
  if (!result.quality.empty()) {
    return similarity_table(result, {{"local", "local"},
                                     {"gather_own", "gathered, own"},
                                     {"gather_neighborhood", "gathered"},
                                     {"oracle", "best of own"}});
  }
  Table table({"component", "eigenvalue (mean)", "explained (mean)"});
  for (Index d = 0; d < result.n_components; ++d) {
    table.add_row({fmt::format("{}", d + 1), number(result.eigenvalues(d)),
                   fmt::format("{:.2f}%", 100 * result.explained_variance_ratio(d))});
  }
  return table.text();
}

void fit_local(CLI::App& command, const FitOptions& options, Session& session, ProcessGroup& processes) {
  FitRun run(command, options, session, processes);
  processes.together([&] { check_options(options); });
  FitData data = read_fit_data(options, processes);
  run.keep_some(data);
  const Plan plan = processes.together([&] { return make_plan(options, data.nodes, run); });
  const Stopwatch watch;
  Outcome<CentralKpca> outcome = processes.together([&] { return run_plan(plan, data, processes.engine()); });

  RunResult result;
  result.iterate_seconds = watch.seconds();
  describe_data(data, result);
  describe_run(outcome.report, plan.graph, options.engine, result);
  const std::vector<Json> nodes = gather_nodes(numbers_of(outcome.results), processes);
  processes.together([&] {
    summarise(nodes, result);
    if (uses_gamma(plan.method.kpca.kernel.kind)) run.resolve("gamma", nodes.front().at("gamma").dump());
    for (const Json& line : nodes) run.record(line);
    if (options.yardsticks) add_yardsticks(outcome.results, plan, options, run, result);
    for (NodeId node = data.own.first; node < data.own.last; ++node) {
      auto& fit = outcome.results[static_cast<std::size_t>(node)];
      if (fit) run.save(node, "own", std::move(fit->model));
    }
  });
  run.finish(result, quality_table);
}

}  // namespace

void add_fit_local_kpca(CLI::App& fit, Session& session) {
  CLI::App* command =
      add_command(fit, session, "local-kpca", "kernel PCA of every node alone: what no communication gives",
                  "choir fit local-kpca --data datasets/digits.npz:images --nodes 20 --gamma 2e-7 "
                  "--yardsticks --out runs/local",
                  Prints::table);
  auto options = std::make_shared<FitOptions>();
  add_fit_options(*command, *options);
  add_network_options(*command, *options);
  command->callback([command, options, &session] {
    fit_on_engine(*command, *options, session, Network::some,
                  [&](ProcessGroup& processes) { fit_local(*command, *options, session, processes); });
  });
}

}  // namespace choir::cli
