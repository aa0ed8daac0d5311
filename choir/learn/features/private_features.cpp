#include "choir/learn/features/private_features.h"

#include <algorithm>
#include <utility>

#include "choir/learn/features/agreed_seed.h"
#include "choir/learn/features/landmarks.h"
#include "choir/learn/features/network_gaussian.h"
#include "choir/runtime/blocks/tree_sum.h"

namespace choir {
namespace {

// At the root; nothing elsewhere.
Task<std::optional<Matrix>> landmarks_at_root(Node& node, SecureSums& sums, Array shard, Index samples,
                                              const PrivateFeatures& wanted, const ComponentsBudget& budget) {
  Matrix scaled = shard.matrix() / *wanted.clip;
  const std::optional<NoisyMoments> spread =
      co_await noisy_moments_at_root(node, sums, std::move(scaled), samples, *budget.spread, budget.plan);
  if (!spread) co_return std::nullopt;
  co_return drawn_landmarks(*spread, wanted, node.rng(Purpose("private landmarks"), 0));
}

Task<SharedLandmarks> private_landmarks(Node& node, SecureSums& sums, Array shard, Index samples,
                                        const PrivateFeatures& wanted, const ComponentsBudget& budget) {
  std::optional<Matrix> points;
  if (wanted.finds_landmarks()) {
    points = co_await landmarks_at_root(node, sums, shard, samples, wanted, budget);
  } else {
    co_await require_same_points(node, *wanted.public_points, shard.rows());
    if (node.id() == node.tree().root) points = wanted.public_points->matrix();
  }
  Message told(Kind::totals);
  if (points) {
    const Index count = points->cols();
    Matrix whitening = leading_whitening(wanted.kernel, *points, Vector::Ones(count), count);
    told.array(*points).array(std::move(whitening));
  }
  const Message agreed = co_await broadcast(node, node.tree(), told);
  SharedLandmarks landmarks{.points = agreed.array(0), .whitening = agreed.array(1)};
  co_return landmarks;
}

}  // namespace

Matrix drawn_landmarks(const NoisyMoments& spread, const PrivateFeatures& wanted, Rng random) {
  const Index most = std::min<Index>(most_probes, spread.sum.size());
  const NoisyComponents found = components_of(spread, most);
  const Index used = std::min(most, std::max(found.clear(), wanted.least_directions));
  const Vector deviations = found.variances.head(used).cwiseSqrt();
  const Matrix factor = found.directions.leftCols(used) * deviations.asDiagonal();
  return *wanted.clip * drawn_seeds(found.mean, factor, wanted.n_landmarks, random);
}

Task<FeatureMap> private_features(Node& node, SecureSums& sums, Array shard, Index samples,
                                  PrivateFeatures wanted, const ComponentsBudget& budget) {
  FeatureMap map{.kernel = wanted.kernel, .store = wanted.store};
  if (wanted.kind == FeatureKind::random_features) {
    const std::uint64_t seed = co_await agreed_seed(node);
    map.random = RandomFeaturesOptions{.count = wanted.n_features, .seed = seed};
  } else {
    map.landmarks = co_await private_landmarks(node, sums, shard, samples, wanted, budget);
  }
  co_return map;
}

}  // namespace choir
