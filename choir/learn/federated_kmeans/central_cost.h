// What clusters cost that were found without seeing the samples, against kernel k-means with all samples in
// one place.
#pragma once

#include <string>
#include <vector>

#include "choir/learn/federated_kmeans/federated_kmeans.h"
#include "choir/linalg/types.h"
#include "choir/runtime/contract.h"

namespace choir::federated_kmeans {

struct CentralCost {
  double cost = 0;   // of the clusters of the fit
  double ratio = 0;  // to that of the best of as many restarts of kernel k-means
};

// Throws Error(OutOfMemory) if the kernel matrix of so many samples does not fit.
void require_room_for_kernel_matrix(Index samples);

// `shards`: of all devices, as they were before preprocessing. Of the run's options, seed and threads count.
CentralCost measure_cost(const Fit& fit, std::vector<Samples> shards, const Options& options,
                         const RunOptions& run = {});

// A line of a summary.
std::string cost_words(const CentralCost& cost);

}  // namespace choir::federated_kmeans
