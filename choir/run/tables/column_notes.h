// What a user should know of columns before trusting an answer: one that counts rows, one that never changes,
// one that outweighs all others.
//
//   add_notes(column_notes(shards, recipe, {.is_scaled = false}), context.result);
#pragma once

#include <string>
#include <vector>

#include "choir/data/dataset.h"
#include "choir/model/recipe.h"

namespace choir {

struct NoteOptions {
  bool is_scaled = false;  // features are going to have the same variance
};

// Of samples that are all in this process; none for fewer than 20.
std::vector<std::string> column_notes(const std::vector<Dataset>& shards, const Recipe& recipe,
                                      const NoteOptions& options);

}  // namespace choir
