// The model that a node's result stands for.
//
//   save_model("model-3.npz", {.method = "gossip-pca", .node = 3, .use = "shared",
//                              .answers = {{"shared", model_of(fit.at(3))}}});
//
// samples       a LinearModel, the same at all nodes up to gossip's accuracy
// landmarks     a KernelModel over the landmarks
// random        a FeatureModel
// coordinates   a LinearPart: the node's own share of a model that only all nodes together have
#pragma once

#include <cstdint>
#include <vector>

#include "choir/learn/gossip_pca/gossip_pca.h"
#include "choir/model/linear_part.h"
#include "choir/model/model_file.h"

namespace choir::gossip_pca {

Model model_of(const NodeResult& fit);
LinearPart part_of(const NodeResult& fit);  // coordinates; its columns are for the caller to fill in

// The model as a file. `columns`: of coordinates that were dealt out of one file, which of its columns are
// the node's own; otherwise empty.
ModelFile file_of(const NodeResult& fit, std::vector<std::int64_t> columns);

}  // namespace choir::gossip_pca
