// What a model file says about itself: as facts for programs, and in words for people.
//
//   const ModelDescription model = describe_model("runs/a/model-0.npz", load_model("runs/a/model-0.npz"));
//   model.facts.at("method").text();                          // "central-kpca"
//   model.text;                                               // several lines
#pragma once

#include <string>

#include "choir/base/facts.h"
#include "choir/model/model_file.h"

namespace choir {

struct ModelDescription {
  Facts facts = {};  // method, choir, node, use, parameters, and answers by name
  std::string text = {};
};

// A model file may say whose samples its answers carry: the parameters "neighborhood" ("3,1,2": nodes, the
// model's own first) and "samples" ("100,80,90": how many of each). The answer "own" then carries those of
// the first, "neighborhood" those of all, others none. `path` is what the words call the file.
ModelDescription describe_model(const std::string& path, const ModelFile& file);

}  // namespace choir
