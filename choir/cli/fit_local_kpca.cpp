#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/base/stopwatch.h"
#include "choir/cli/fit_data.h"
#include "choir/cli/fit_methods.h"
#include "choir/cli/fit_run.h"
#include "choir/cli/table.h"
#include "choir/graph/topology.h"
#include "choir/learn/central/local_kpca.h"
#include "choir/learn/central/yardsticks.h"

namespace choir::cli {
namespace {

// The nodes' own answers, in means over nodes.
void summarise(const std::vector<CentralKpca>& fits, RunResult& result) {
  const Index count = fits.front().model.components();
  result.n_components = count;
  result.eigenvalues = Vector::Zero(count);
  result.explained_variance_ratio = Vector::Zero(count);
  result.converged = true;
  result.residual = 0;
  for (const CentralKpca& fit : fits) {
    result.eigenvalues += fit.model.eigenvalues / static_cast<double>(fits.size());
    result.explained_variance_ratio +=
        fit.model.explained_variance_ratio() / static_cast<double>(fits.size());
    result.converged = *result.converged && fit.converged;
    result.residual = std::max(*result.residual, fit.residual);
  }
}

void add_yardsticks(const FitData& data, const FitOptions& options, const CentralKpcaOptions& kpca,
                    RunResult& result) {
  const Graph graph =
      make_topology(options.topology, static_cast<Index>(data.shards.size()), options.random_state);
  const CentralKpca central = central_kernel_pca(data.pooled(), kpca);
  const Yardsticks yardsticks = compute_yardsticks(
      data.shards, graph, central, {.kernel = kpca.kernel, .threads = options.threads, .watch = kpca.watch});
  result.quality["local"] = yardsticks.local;
  result.quality["gather_own"] = yardsticks.gather_own;
  result.quality["gather_neighborhood"] = yardsticks.gather_neighborhood;
  result.quality["oracle"] = yardsticks.oracle;
  if (!central.note.empty()) result.notes.push_back(central.note);
}

std::string quality_table(const RunResult& result) {
  if (result.quality.empty()) {
    Table table({"component", "eigenvalue (mean)", "explained (mean)"});
    for (Index d = 0; d < result.n_components; ++d) {
      table.add_row({fmt::format("{}", d + 1), number(result.eigenvalues(d)),
                     fmt::format("{:.2f}%", 100 * result.explained_variance_ratio(d))});
    }
    return table.text();
  }
  const std::vector<std::string> names = {"local", "gather_own", "gather_neighborhood", "oracle"};
  Table table({"similarity to central", "local", "gathered, own", "gathered", "best of own"});
  for (Index d = 0; d < result.n_components; ++d) {
    std::vector<std::string> row = {fmt::format("component {}", d + 1)};
    for (const std::string& name : names)
      row.push_back(fmt::format("{:.4f}", result.quality.at(name).col(d).mean()));
    table.add_row(row);
  }
  return table.text();
}

void fit_local(CLI::App& command, FitOptions& options, Session& session) {
  FitRun run(command, options, session);
  if (options.nodes < 1) {
    throw Error(ErrorCategory::InvalidArgument,
                "local-kpca needs to know how many nodes there are; say --nodes J");
  }
  if (options.component_choice().by_fraction()) {
    throw Error(ErrorCategory::InvalidArgument,
                "nodes that choose their own number of components cannot be compared; say --n-components "
                "with a whole number");
  }
  const FitData data = read_fit_data(options);
  const Kernel kernel = options.kernel_with(run.resolve_gamma(data.pooled()));
  const CentralKpcaOptions kpca = options.kpca_options(kernel, run.console().watch());
  const Stopwatch watch;
  std::vector<CentralKpca> fits = local_kernel_pca(data.shards, kpca);

  RunResult result;
  result.iterate_seconds = watch.seconds();
  result.nodes = static_cast<Index>(data.shards.size());
  result.samples = data.samples;
  result.features = data.features;
  summarise(fits, result);
  if (options.yardsticks) add_yardsticks(data, options, kpca, result);
  for (Index node = 0; node < result.nodes; ++node) {
    CentralKpca& fit = fits[static_cast<std::size_t>(node)];
    run.record({{"node", node},
                {"samples", fit.scores.rows()},
                {"residual", fit.residual},
                {"converged", fit.converged}});
    fit.model.preprocessing = data.preprocessing;
    run.save(node, "own", std::move(fit.model));
  }
  run.finish(result, quality_table(result));
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
  command->callback([command, options, &session] { fit_local(*command, *options, session); });
}

}  // namespace choir::cli
