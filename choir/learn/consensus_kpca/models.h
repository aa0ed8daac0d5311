// The models that a node's result stands for.
//
//   const Model model = model_of(fit.at(3), Answer::neighborhood);
//   save_model("model-3.npz", {.method = "consensus-kpca", .node = 3, .use = "neighborhood",
//                              .answers = answers_of(fit.at(3))});
//
// own           directions in the span of the node's own samples (the paper); scores are shrunk by ||w||^2
// neighborhood  in the span of its own and its neighbours' samples: much closer; carries these samples
// shared        in shared features, the same at all nodes; carries no sample
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "choir/learn/consensus_kpca/consensus_kpca.h"
#include "choir/model/model_file.h"

namespace choir {

enum class Answer { own, neighborhood, shared };

std::string_view to_string(Answer answer);     // "own", as in model files
Answer parse_answer(std::string_view text);    // throws Error(InvalidArgument) naming the choices
std::vector<Answer> answers_for(Share share);  // what a fit with this share has, the default one first

// Throws Error(InvalidArgument) if the fit has no such answer.
Model model_of(const ConsensusKpca& fit, Answer answer);
std::map<std::string, Model> answers_of(const ConsensusKpca& fit);

}  // namespace choir
