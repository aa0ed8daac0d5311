// What every node learns alone: kernel PCA of its own shard, by its own mean. The nodes agree on gamma and on
// standardisation beforehand (learn/agreement), so that their answers can be compared; no sample leaves a
// node.
//
//   LocalKpcaOptions options;
//   options.kpca.components.count = 3;
//   const Contract contract = local_kpca_contract(features, sizes, options);
//   const auto outcome = run_nodes<CentralKpca>(engine, graph, contract, run_options, [&](Node& node) {
//     return local_kpca(node, shards[node.id()], options);
//   });
#pragma once

#include <functional>

#include "choir/kernel/bandwidth.h"
#include "choir/learn/central/kernel_pca.h"
#include "choir/model/preprocessing.h"
#include "choir/runtime/contract.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir {

struct LocalKpcaOptions {
  GammaSpec gamma = {};              // in place of kpca.kernel.gamma, if the kernel has one
  Preprocessing preprocessing = {};  // as wished for; the sums of zscore are agreed
  CentralKpcaOptions kpca = {};      // of one node; threads and watch are the engine's business
};

// The node program. The model says which gamma and preprocessing were agreed; its points are the shard after
// preprocessing.
Task<CentralKpca> local_kpca(Node& node, Samples shard, LocalKpcaOptions options);

// `samples(j)` is the size of node j's shard; asked for the nodes of this process only.
Contract local_kpca_contract(Index features, const std::function<Index(NodeId)>& samples,
                             const LocalKpcaOptions& options);

}  // namespace choir
