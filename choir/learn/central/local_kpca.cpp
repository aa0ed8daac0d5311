#include "choir/learn/central/local_kpca.h"

#include <mutex>

#include "choir/base/error.h"
#include "choir/base/parallel.h"
#include "choir/linalg/blas.h"

namespace choir {

std::vector<CentralKpca> local_kernel_pca(const std::vector<Samples>& shards,
                                          const CentralKpcaOptions& options) {
  const SingleThreadedBlas scope;
  const auto nodes = static_cast<Index>(shards.size());
  CentralKpcaOptions alone = options;
  alone.threads = 1;
  alone.watch.progress = {};  // one bar for all nodes, below
  std::vector<CentralKpca> fits(shards.size());
  std::mutex reporting;
  Index done = 0;
  parallel_for(nodes, options.threads, [&](Index node) {
    const auto j = static_cast<std::size_t>(node);
    try {
      fits[j] = central_kernel_pca(shards[j], alone);
    } catch (const Error& cause) {
      throw Error(cause.category(), fmt::format("node {}", node), cause);
    }
    const std::lock_guard lock(reporting);
    options.watch.report("nodes", ++done, nodes);
  });
  return fits;
}

}  // namespace choir
