// What nodes tell each other before a fit, so that all follow one recipe.
//
//   const AgreedRecipe agreed = run_recipe(chosen.recipe, parts, {.nodes = 5, .samples = 500}, settings,
//   context);
#pragma once

#include <vector>

#include "choir/learn/tables/recipe_agreement.h"
#include "choir/run/context.h"
#include "choir/run/settings.h"

namespace choir {

struct RecipeRun {
  Index nodes = 0;          // with data
  Index without_data = 0;   // further ones: a server, in the middle of a star
  Index samples = 0;        // of all nodes
  Index least = 10;         // behind every category
  bool has_network = true;  // false: all parts are in this process, and nothing is sent
};

// `parts`: of the nodes of this process. All processes call it. Messages are counted in context.agreement.
AgreedRecipe run_recipe(const Recipe& recipe, const std::vector<TablePart>& parts, const RecipeRun& run,
                        const Settings& settings, MethodContext& context);

}  // namespace choir
