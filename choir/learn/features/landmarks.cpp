#include "choir/learn/features/landmarks.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "choir/kernel/gram.h"
#include "choir/kernel/nystroem.h"
#include "choir/learn/features/centroids.h"
#include "choir/linalg/eigen.h"
#include "choir/runtime/blocks/secure_sum/secure_sum.h"
#include "choir/runtime/blocks/tree_sum.h"

namespace choir {
namespace {

// Directions that seeds vary in, where samples have more features than that.
constexpr Index most_probes = 60;
constexpr std::uint64_t probe_seed = 0;  // public, like the directions
constexpr double factor_cutoff = 1e-12;  // of the largest variance

// The mean of all samples, at all nodes.
Task<Vector> agreed_mean(Node& node, SecureSums& sums, const Array& shard) {
  Matrix mine(shard.rows() + 1, 1);
  mine.topRows(shard.rows()) = shard.matrix().rowwise().sum();
  mine(shard.rows(), 0) = static_cast<double>(shard.columns());
  const Matrix total = co_await secure_sum(node, sums, std::move(mine));
  co_return total.col(0).head(shard.rows()) / total(shard.rows(), 0);
}

// The seeds, at all nodes: drawn at the root, which alone knows how the samples spread.
Task<Array> agreed_seeds(Node& node, SecureSums& sums, const Array& shard, Index count) {
  const Vector mean = co_await agreed_mean(node, sums, shard);
  const Matrix probes = probe_directions(shard.rows());
  const Matrix centred = shard.matrix().colwise() - mean;
  Matrix mine(shard.rows() + 1, probes.cols());
  mine.topRows(shard.rows()) = centred * (centred.transpose() * probes);
  mine.row(shard.rows()).setConstant(static_cast<double>(shard.columns()));
  const std::optional<Matrix> total = co_await secure_sum_at_root(node, sums, std::move(mine));
  Message seeds(Kind::totals);
  if (total) {
    const Matrix products = total->topRows(shard.rows()) / (*total)(shard.rows(), 0);
    const Rng random(node.rng(Purpose("landmark seeds"), 0).bits(), Purpose("landmark seeds"));
    seeds.array(drawn_seeds(mean, spread_factor(products, probes), count, random));
  }
  const Message agreed = co_await broadcast(node, node.tree(), seeds);
  co_return agreed.array(0);
}

Matrix chosen_columns(const Matrix& matrix, const std::vector<Index>& columns) {
  return matrix(Eigen::all, columns);
}

// At the root: Z, and R beside it.
Message with_whitening(Matrix points, const Kernel& kernel, Kind kind) {
  Message message(kind);
  const NystroemFeatures features(kernel, points);
  message.array(std::move(points)).array(features.whitening());
  return message;
}

}  // namespace

Matrix probe_directions(Index features) {
  if (features <= most_probes) return Matrix::Identity(features, features);
  Rng random(probe_seed, Purpose("landmark probes"));
  return Matrix::NullaryExpr(features, most_probes, [&] { return random.normal(); });
}

Matrix spread_factor(const Matrix& products, const Matrix& probes) {
  const Matrix inner = probes.transpose() * products;
  const EigenPairs pairs = eigen_symmetric<double>((inner + inner.transpose()) / 2);
  const Index rank = (pairs.values.array() > factor_cutoff * std::max(pairs.values(0), 0.0)).count();
  const Vector roots = pairs.values.head(rank).cwiseSqrt();
  return products * pairs.vectors.leftCols(rank) * roots.cwiseInverse().asDiagonal();
}

Matrix drawn_seeds(const Vector& mean, const Matrix& factor, Index count, Rng random) {
  const Matrix normals = Matrix::NullaryExpr(factor.cols(), count, [&] { return random.normal(); });
  return (factor * normals).colwise() + mean;
}

SeedSums seed_sums(const MatrixView<double>& samples, const Matrix& seeds) {
  SeedSums sums{.counts = Vector::Zero(seeds.cols()), .movements = Matrix::Zero(seeds.rows(), seeds.cols())};
  // Seen from a point among the seeds: far from the origin, distances of products would be rounding.
  const Vector origin = seeds.rowwise().mean();
  const Matrix moved_seeds = seeds.colwise() - origin;
  const Vector lengths = moved_seeds.colwise().squaredNorm();
  const Matrix products = moved_seeds.transpose() * (samples.colwise() - origin);  // L x N
  for (Index n = 0; n < samples.cols(); ++n) {
    Index nearest = 0;
    (lengths - 2 * products.col(n)).minCoeff(&nearest);
    sums.counts(nearest) += 1;
    sums.movements.col(nearest) += samples.col(n) - seeds.col(nearest);
  }
  return sums;
}

std::vector<Index> seeds_to_move(const Vector& counts, Index min_count) {
  const auto least = static_cast<double>(min_count);
  std::vector<Index> moving;
  double rest = 0;
  for (Index seed = 0; seed < counts.size(); ++seed) {
    if (counts(seed) >= least) {
      moving.push_back(seed);
    } else {
      rest += counts(seed);
    }
  }
  if (rest == 0 || rest >= least || moving.empty()) return moving;
  moving.erase(std::ranges::min_element(moving, {}, [&](Index seed) { return counts(seed); }));
  return moving;
}

Matrix SharedLandmarks::features(const Kernel& kernel, const MatrixView<double>& samples) const {
  return whitening.matrix().transpose() * gram<double>(kernel, points.matrix(), samples);
}

Task<SharedLandmarks> agreed_landmarks(Node& node, Array shard, Kernel kernel, LandmarkOptions options) {
  SecureSums sums = co_await open_secure_sums(node);
  const Array seeds = co_await agreed_seeds(node, sums, shard, options.count);
  const SeedSums mine = seed_sums(shard.matrix(), seeds.matrix());
  // Counts first: sums over few samples are never added up.
  const Matrix counts = co_await secure_sum(node, sums, mine.counts.transpose());
  const std::vector<Index> moving = seeds_to_move(counts.row(0), options.min_count);
  Matrix movements = chosen_columns(mine.movements, moving);
  const std::optional<Matrix> total = co_await secure_sum_at_root(node, sums, std::move(movements));
  const Kind kind = kind_of_centroids(options.min_count);
  Message shared(kind);
  if (total) {
    Matrix points = seeds.matrix();
    for (Index i = 0; const Index seed : moving) points.col(seed) += total->col(i++) / counts(0, seed);
    shared = with_whitening(std::move(points), kernel, kind);
  }
  const Message agreed = co_await broadcast(node, node.tree(), shared);
  SharedLandmarks landmarks{.points = agreed.array(0), .whitening = agreed.array(1)};
  co_return landmarks;
}

}  // namespace choir
