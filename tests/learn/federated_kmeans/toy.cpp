#include "learn/federated_kmeans/toy.h"

#include <algorithm>
#include <numeric>

#include "choir/base/rng.h"

namespace choir::testing {

Clusters clusters(Index count, Index clusters, Index features, std::uint64_t seed) {
  Rng rng(seed, Purpose("test clusters"));
  const Matrix centres = Matrix::NullaryExpr(features, clusters, [&] { return 4 * rng.normal(); });
  Clusters data{.samples = Matrix::NullaryExpr(features, count, [&] { return rng.normal(); }), .labels = {}};
  for (Index n = 0; n < count; ++n) {
    const auto label = static_cast<Index>(rng.below(static_cast<std::uint64_t>(clusters)));
    data.samples.col(n) += centres.col(label);
    data.labels.push_back(label);
  }
  return data;
}

std::vector<Samples> dealt(const Samples& samples, Index devices) {
  std::vector<Samples> parts;
  for (Index j = 0; j < devices; ++j) {
    const Index first = j * samples.cols() / devices, last = (j + 1) * samples.cols() / devices;
    parts.push_back(samples.middleCols(first, last - first));
  }
  return parts;
}

Samples sorted_by_label(const Clusters& data) {
  std::vector<Index> order(data.labels.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return data.labels[static_cast<std::size_t>(a)] < data.labels[static_cast<std::size_t>(b)];
  });
  return data.samples(Eigen::all, order);
}

}  // namespace choir::testing
