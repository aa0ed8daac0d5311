// A recipe in manifest.json:
//
//   {"numbers": {"names": ["age"], "positions": [3], "fills": [54.2], "marks": [false]},
//    "categories": [{"name": "sex", "position": 1, "values": ["f", "m"], "other": false, "marks": false}],
//    "id": "patient", "label": "diagnosis", "left_out": [], "file_columns": 9, "missing": "mean", "na": [],
//    "decimal": ".", "classes": ["benign", "malignant"], "epoch": "1970-01-01"}
#pragma once

#include <nlohmann/json.hpp>

#include "choir/model/manifest_place.h"
#include "choir/model/recipe.h"

namespace choir {

nlohmann::json recipe_json(const Recipe& recipe);
// Throws Error(BadData) for what is no recipe; whether it can be followed, validate() says.
Recipe parse_recipe(const ManifestPlace& place);

}  // namespace choir
