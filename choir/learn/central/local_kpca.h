// What every node learns alone: kernel PCA of its own shard, by its own mean. The nodes agree on gamma and on
// standardisation beforehand (learn/agreement), so that their answers can be compared; no sample leaves a
// node.
//
//   local_kpca::Options options;
//   options.kpca.n_components.count = 3;
//   const auto fit = fit_local_kpca(*engine, graph, shards, options);
//   const Matrix scores = fit.at(2).model.transform(samples);
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "choir/graph/graph.h"
#include "choir/kernel/bandwidth.h"
#include "choir/learn/central/kernel_pca.h"
#include "choir/learn/fit.h"
#include "choir/learn/shard.h"
#include "choir/model/preprocessing.h"
#include "choir/runtime/contract.h"
#include "choir/runtime/engine.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir::local_kpca {

struct Options {
  GammaSpec gamma = {};              // in place of kpca.kernel.gamma, if the kernel has one
  Preprocessing preprocessing = {};  // as wished for; the sums of zscore are agreed
  central_kpca::Options kpca = {};   // of one node
};

using NodeResult = central_kpca::Fit;

// The node program. The model says which gamma and preprocessing were agreed; its points are the shard after
// preprocessing.
Task<NodeResult> node_program(Node& node, Shard shard, Options options);

// `samples(j)` is the size of node j's shard; asked for the nodes of this process only.
Contract contract(Index features, const std::function<Index(NodeId)>& samples, const Options& options);

using Fit = FitOf<NodeResult>;

}  // namespace choir::local_kpca

namespace choir {

// Runs the program on every node. `shards`: of the nodes that this process runs, in their order. Throws what
// the node programs throw, and Error(InvalidArgument) for a wrong number of shards.
local_kpca::Fit fit_local_kpca(Engine& engine, const Graph& graph, Shards shards,
                               const local_kpca::Options& options, const RunOptions& run = {});

}  // namespace choir
