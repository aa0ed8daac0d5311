#include "choir/learn/features/random_totals.h"

#include <algorithm>
#include <utility>

#include "choir/learn/features/network_gaussian.h"
#include "choir/learn/features/summed_features.h"
#include "choir/linalg/eigen.h"
#include "choir/runtime/blocks/tree_sum.h"

namespace choir {
namespace {

constexpr Index points_per_direction = 2;
constexpr double rank_cutoff = 1e-10;  // of the largest eigenvalue

}  // namespace

Matrix leading_directions_of(const Matrix& psi, Index most) {
  const EigenPairs pairs = eigen_symmetric<double>(psi.transpose() * psi);
  const Index rank = (pairs.values.array() > rank_cutoff * pairs.values(0)).count();
  const Index kept = std::min(rank, most);
  return psi * pairs.vectors.leftCols(kept) * pairs.values.head(kept).cwiseSqrt().cwiseInverse().asDiagonal();
}

Task<FeatureMap> agreed_random_features(Node& node, SecureSums& sums, Array shard, Kernel kernel,
                                        RandomTotals wanted) {
  const NetworkGaussian network = co_await agreed_gaussian(node, sums, shard);
  const Index most = require_safe_total(network.samples, shard.rows(), wanted.count);
  FeatureMap map{.kernel = kernel, .store = std::move(wanted.store)};
  Message mine(Kind::totals);
  if (network.at_root) {
    Rng random = network.at_root->random;
    map.random = RandomFeaturesOptions{.count = wanted.count, .seed = random.bits()};
    const Matrix points =
        drawn_seeds(network.mean, network.at_root->factor, points_per_direction * most, random);
    mine.integer(static_cast<std::int64_t>(map.random->seed));
    mine.array(leading_directions_of(map.features(points), most));
  }
  const Message agreed = co_await broadcast(node, node.tree(), mine);
  map.random =
      RandomFeaturesOptions{.count = wanted.count, .seed = static_cast<std::uint64_t>(agreed.integer(0))};
  map.reduction = agreed.array(0);
  Matrix psi = map.features(shard.matrix());
  const std::vector<Index> chosen = co_await features_to_sum(node, sums, std::move(psi), shard.rows());
  map.reduction = Array(Matrix(map.reduction->matrix()(Eigen::all, chosen)));
  co_return map;
}

}  // namespace choir
