// How good clusters are that were found without seeing the samples: against kernel k-means with the whole
// kernel matrix in one place. For experiments and tests.
//
//   const auto central = federated_kmeans::kernel_kmeans(gram, {.clusters = 10, .n_init = 5});
//   federated_kmeans::kernel_cost(gram, labels, 10) / central.cost;  // 1: as good
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "choir/linalg/types.h"

namespace choir::federated_kmeans {

// sum ||phi(x) - mean of its cluster||^2 = tr K - sum over clusters of 1'K_cc 1 / n_c. Throws
// Error(InvalidArgument) for labels that are not 0 .. k-1, or not one for each row.
double kernel_cost(const MatrixView<double>& gram, std::span<const std::int64_t> labels, Index clusters);

struct KernelKmeansOptions {
  Index clusters = 10;
  int n_init = 5;  // number of k-means++ restarts; the best is kept
  Index max_iter = 300;
  std::uint64_t seed = 0;
};
struct KernelKmeans {
  std::vector<std::int64_t> labels;
  double cost = 0;
  Index iterations = 0;
  bool converged = false;  // no label changes any more
};
// Lloyd's iterations in feature space, N^2 k each.
KernelKmeans kernel_kmeans(const MatrixView<double>& gram, const KernelKmeansOptions& options);

// The best approximation of rank r, sum of the leading l_i u_i u_i'.
Matrix truncated(const Matrix& gram, Index rank);
// ||BB' - target||_F^2 / N^2 of embedded samples, N x r.
double embedding_error(const MatrixView<double>& embedded, const Matrix& target);

}  // namespace choir::federated_kmeans
