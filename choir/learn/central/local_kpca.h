// What every node would have learned alone: kernel PCA of its own shard, by its own mean.
//
//   std::vector<CentralKpca> alone = local_kernel_pca(shards, options);
#pragma once

#include <vector>

#include "choir/learn/central/kernel_pca.h"

namespace choir {

// One fit per shard, nodes in parallel on options.threads. An error names the node.
std::vector<CentralKpca> local_kernel_pca(const std::vector<Samples>& shards,
                                          const CentralKpcaOptions& options);

}  // namespace choir
