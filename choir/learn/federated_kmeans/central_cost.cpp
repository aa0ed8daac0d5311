#include "choir/learn/federated_kmeans/central_cost.h"

#include <algorithm>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/base/memory.h"
#include "choir/kernel/gram.h"
#include "choir/learn/federated_kmeans/quality.h"
#include "choir/linalg/columns.h"

namespace choir::federated_kmeans {

void require_room_for_kernel_matrix(Index samples) {
  const double bytes = 2 * sizeof(double) * static_cast<double>(samples) * static_cast<double>(samples);
  if (bytes < static_cast<double>(available_memory())) return;
  fail(ErrorCategory::OutOfMemory,
       "--yardsticks needs the kernel matrix of all {} samples, {:.1f} GiB with what is computed of it; omit "
       "--yardsticks, or use fewer samples",
       samples, bytes / (1 << 30));
}

// Kernel k-means has no swaps, and fewer runs would make a poor yardstick of it.
constexpr Index fewest_central_runs = 20;

CentralCost measure_cost(const Fit& fit, std::vector<Samples> shards, const Options& options,
                         const RunOptions& run) {
  const ClusterModel& model = fit.at(0).model;
  std::vector<std::int64_t> clusters;
  for (std::size_t device = 0; device < shards.size(); ++device) {
    const std::vector<std::int64_t>& own = fit.at(static_cast<NodeId>(device)).labels;
    clusters.insert(clusters.end(), own.begin(), own.end());
    model.preprocessing.apply(shards[device]);
  }
  const Samples samples = side_by_side(shards);
  const Matrix kernel_matrix = gram<double>(model.kernel, samples, samples, {.threads = run.threads});
  const Index restarts = restart_count(options, model.clusters(), model.dimension());
  const Index runs = options.restarts ? restarts : std::max(restarts, fewest_central_runs);
  const KernelKmeans central = kernel_kmeans(kernel_matrix, {.clusters = model.clusters(),
                                                             .n_init = static_cast<int>(runs),
                                                             .max_iter = options.max_iter,
                                                             .seed = run.seed});
  const double cost = kernel_cost(kernel_matrix, clusters, model.clusters());
  return {.cost = cost, .ratio = cost / central.cost};
}

std::string cost_words(const CentralCost& cost) {
  return fmt::format("against kernel k-means of all samples in one place: {:.5f} of its cost\n", cost.ratio);
}

}  // namespace choir::federated_kmeans
