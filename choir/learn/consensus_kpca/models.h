// The models that a node's result stands for.
//
//   const Model model = model_of(fit.at(3), consensus_kpca::Answer::neighborhood);
//   save_model("model-3.npz", {.method = "consensus-kpca", .node = 3, .use = "neighborhood",
//                              .answers = answers_of(fit.at(3))});
//
// own           directions in the span of the node's own samples (the paper); scores are shrunk by ||w||^2
// neighborhood  in the span of its own and its neighbours' samples: much closer; carries these samples
// shared        in shared features, the same at all nodes; carries no sample
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "choir/learn/consensus_kpca/consensus_kpca.h"
#include "choir/model/model_file.h"

namespace choir::consensus_kpca {

enum class Answer { own, neighborhood, shared };

ChoiceNames<Answer> choice_names(Answer);      // "own", as in model files
std::vector<Answer> answers_for(Share share);  // what a fit with this share has, the default one first

// The answer that was asked for, or the default one. Throws Error(InvalidArgument) if there is none of its
// name.
Answer answer_to_use(const std::optional<Answer>& asked, Share share);

// Throws Error(InvalidArgument) if the fit has no such answer.
Model model_of(const NodeResult& fit, Answer answer);
std::map<std::string, Model> answers_of(const NodeResult& fit);
// All answers in one file, which says whose samples it carries, and how many of each.
ModelFile file_of(const NodeResult& fit, Answer use);

}  // namespace choir::consensus_kpca
