// The models that a node's result stands for.
//
//   const Model model = model_of(fit.at(3), consensus_kpca::Answer::shared);
//   save_model("model-3.npz", {.method = "consensus-kpca", .node = 3, .use = "shared",
//                              .answers = answers_of(fit.at(3))});
#pragma once

#include <map>
#include <string>
#include <vector>

#include "choir/learn/consensus_kpca/consensus_kpca.h"
#include "choir/model/model_file.h"

namespace choir::consensus_kpca {

enum class Contents { all, no_samples };

// What a fit has, the one it uses first. Without samples: not what is expanded in those of a node, unless
// the fit uses it, or nodes have seen each other's samples anyway.
std::vector<Answer> answers_in(const NodeResult& fit, Contents contents = Contents::all);

// Throws Error(InvalidArgument) if the fit has no such answer.
Model model_of(const NodeResult& fit, Answer answer);
std::map<std::string, Model> answers_of(const NodeResult& fit, Contents contents = Contents::all);
// All these answers in one file, which says whose samples it carries, and how many of each.
ModelFile file_of(const NodeResult& fit, Contents contents = Contents::all);

}  // namespace choir::consensus_kpca
