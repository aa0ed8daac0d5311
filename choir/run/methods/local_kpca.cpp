#include "choir/learn/central/local_kpca.h"

#include <fmt/format.h>

#include "choir/base/stopwatch.h"
#include "choir/learn/central/local_findings.h"
#include "choir/learn/central/yardsticks.h"
#include "choir/linalg/columns.h"
#include "choir/report/text_table.h"
#include "choir/run/methods/methods.h"
#include "choir/run/network_method.h"

namespace choir::local_kpca {
namespace {

using LocalSettings = SettingsOf<Options>;

Facts facts_of(const NodeFindings& node) {
  return Facts()
      .set("node", node.node)
      .set("samples", node.samples)
      .set("residual", node.residual)
      .set("converged", node.converged)
      .set("eigenvalues", node.eigenvalues)
      .set("explained_variance_ratio", node.explained_variance_ratio)
      .set("gamma", node.gamma)
      .set("note", node.note);
}

std::string words(const Result& result) {
  if (!result.quality.empty()) {
    return similarity_table(result, {{"local", "local"},
                                     {"gather_own", "gathered, own"},
                                     {"gather_neighborhood", "gathered"},
                                     {"oracle", "best of own"},
                                     {"oracle_neighborhood", "best of gathered"}});
  }
  TextTable table({"component", "eigenvalue (mean)", "explained (mean)"});
  for (Index d = 0; d < result.n_components; ++d) {
    table.add_row({fmt::format("{}", d + 1), short_number(result.eigenvalues(d)),
                   fmt::format("{:.2f}%", 100 * result.explained_variance_ratio(d))});
  }
  return table.text();
}

class LocalRun : public NetworkMethod<LocalSettings, Fit> {
 public:
  void check(MethodContext& context) override {
    NetworkMethod::check(context);
    if (settings_.component_choice().by_fraction()) {
      throw Error(ErrorCategory::InvalidArgument,
                  "nodes that choose their own number of components cannot be compared; use --n-components "
                  "with an integer");
    }
  }

  Contract contract(const MethodContext&, const Graph&) override {
    return local_kpca::contract(data_.features, sizes(), settings_.method);
  }

  RunReport fit(MethodContext& context, const Graph& graph) override {
    const Stopwatch watch;
    const RunReport report = keep(
        fit_local_kpca(context.engine(), graph, std::move(data_.shards), settings_.method, context.options));
    context.result.iterate_seconds = watch.seconds();
    return report;
  }

  void conclude(MethodContext& context, const Graph& graph) override {
    const auto nodes = all_findings<NodeFindings>(
        fit_->nodes, context, [](NodeId node, const auto& result) { return findings_of(node, result); });
    describe(nodes, context);
    context.processes.together([&] {
      if (settings_.network.yardsticks) compare(graph, context);
    });
    add_models(fit_, context.result,
               [](NodeId node, const NodeResult& result) { return file_with(node, "own", result.model); });
    context.result.text = words(context.result);
  }

 private:
  void describe(const std::vector<NodeFindings>& nodes, MethodContext& context) const {
    Result& result = context.result;
    take_findings(summarise(nodes), result);
    for (const NodeFindings& node : nodes) {
      add_notes({node.note}, result);
      result.metrics.push_back(facts_of(node));
    }
    if (uses_gamma(settings_.method.kpca.kernel.kind)) context.resolve("gamma", nodes.front().gamma);
  }

  // Against the fit of all samples in one place. The models' points are the shards as the nodes preprocessed
  // them.
  void compare(const Graph& graph, MethodContext& context) const {
    std::vector<Samples> shards;
    for (const auto& node : fit_->nodes) {
      if (node) shards.push_back(node->model.points);
    }
    if (shards.size() != fit_->nodes.size()) {
      context.result.notes.push_back(
          "the yardsticks need the samples of all nodes, so there are none after a crash");
      return;
    }
    central_kpca::Options options = settings_.method.kpca;
    options.kernel = fit_->at(0).model.kernel;
    const central_kpca::Fit central = fit_central_kpca(side_by_side(shards), options, context.options);
    describe_yardsticks(
        compute_yardsticks(shards, graph, central, {.kernel = options.kernel}, context.options),
        context.result);
    add_notes({central.note}, context.result);
  }
};

OptionTable option_table() {
  OptionTable table = shared_rows(true);
  add_min_count_row(table);
  return table;
}

}  // namespace

MethodInfo method_info() {
  return {.name = "local-kpca",
          .about = "kernel PCA of every node alone: the baseline without communication",
          .example =
              "choir fit local-kpca --data datasets/digits.npz:images --nodes 20 --gamma 2e-7 "
              "--yardsticks --out runs/local",
          .kinds = {Kind::masked, Kind::totals, Kind::control},
          .yardsticks = "local, gathered, central and best possible",
          .options = option_table(),
          .start = [] { return std::make_unique<LocalRun>(); }};
}

}  // namespace choir::local_kpca
