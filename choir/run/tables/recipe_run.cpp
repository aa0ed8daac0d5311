#include "choir/run/tables/recipe_run.h"

#include "choir/graph/regular.h"
#include "choir/graph/topology.h"
#include "choir/learn/fit_nodes.h"

namespace choir {
namespace {

// Devices reach their server alone; other nodes those that the user's topology gives them.
Graph network_for(const RecipeRun& run, const Settings& settings) {
  const Index nodes = run.nodes + run.without_data;
  if (run.without_data > 0) return star_graph(nodes, static_cast<NodeId>(run.nodes));
  return make_topology(settings.topology_for(nodes), nodes, settings.engine.random_state);
}

}  // namespace

AgreedRecipe run_recipe(const Recipe& recipe, const std::vector<TablePart>& parts, const RecipeRun& run,
                        const Settings& settings, MethodContext& context) {
  const RecipeAgreementOptions options{.least = run.least, .samples = run.samples};
  if (!asks_for_cells(recipe)) return {.recipe = recipe};
  if (!run.has_network) return pooled_recipe(recipe, parts, options);
  const Contract contract{.method = "the recipe of columns",
                          .kinds = {Kind::masked, Kind::totals, Kind::control}};
  ProcessGroup& processes = context.processes;
  const Graph graph = processes.together([&] { return network_for(run, settings); });
  const NodeId first = processes.engine().own_nodes(graph.nodes()).first;
  auto fit = processes.together([&] {
    return fit_nodes<AgreedRecipe>(processes.engine(), graph, contract, context.options, [&](Node& node) {
      const auto place = static_cast<std::size_t>(node.id() - first);
      return agreed_recipe(node, recipe, place < parts.size() ? parts[place] : TablePart(), options);
    });
  });
  context.agreement = {.kinds = contract.kinds, .ledger = std::move(fit.report.ledger)};
  for (auto& agreed : fit.nodes) {
    if (agreed) return *std::move(agreed);
  }
  return {.recipe = recipe};
}

}  // namespace choir
