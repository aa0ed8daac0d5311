#include "choir/learn/features/landmarks.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "choir/base/error.h"
#include "choir/crypto/fingerprint.h"
#include "choir/kernel/gram.h"
#include "choir/kernel/nystroem.h"
#include "choir/learn/features/centroids.h"
#include "choir/learn/features/network_gaussian.h"
#include "choir/learn/features/summed_features.h"
#include "choir/linalg/eigen.h"
#include "choir/runtime/blocks/tree_sum.h"

namespace choir {
namespace {

// Where landmarks begin: the same at all nodes.
struct Seeds {
  Array points;
  Index samples = 0;  // of the network
};

// Drawn at the root, which alone knows how the samples spread.
Task<Seeds> drawn_alike(Node& node, SecureSums& sums, Array shard, Index count) {
  const NetworkGaussian network = co_await agreed_gaussian(node, sums, shard);
  Message mine(Kind::totals);
  if (network.at_root) {
    mine.array(drawn_seeds(network.mean, network.at_root->factor, count, network.at_root->random));
  }
  const Message agreed = co_await broadcast(node, node.tree(), mine);
  Seeds seeds{.points = agreed.array(0), .samples = network.samples};
  co_return seeds;
}

// A number that stands for public points, exact as a double.
double number_of(const Array& points) {
  const Hash hash = fingerprint(
      "public landmarks",
      std::as_bytes(std::span(points.matrix().data(), static_cast<std::size_t>(points.matrix().size()))));
  std::uint64_t number = 0;
  std::memcpy(&number, hash.data(), sizeof number);
  return static_cast<double>(number >> 12);
}

Task<Seeds> public_points(Node& node, SecureSums& sums, Array points, Index inputs, Index samples) {
  co_await require_same_points(node, points, inputs);
  Matrix count = Matrix::Constant(1, 1, static_cast<double>(samples));
  const Matrix all = co_await secure_sum(node, sums, std::move(count));
  Seeds seeds{.points = points, .samples = static_cast<Index>(std::llround(all(0, 0)))};
  co_return seeds;
}

Task<Seeds> agreed_seeds(Node& node, SecureSums& sums, const Array& shard, const LandmarkOptions& options) {
  if (!options.points) return drawn_alike(node, sums, shard, options.count);
  return public_points(node, sums, *options.points, shard.rows(), shard.columns());
}

Matrix chosen_columns(const Matrix& matrix, const std::vector<Index>& columns) {
  return matrix(Eigen::all, columns);
}

}  // namespace

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

Matrix leading_whitening(const Kernel& kernel, const Matrix& points, const Vector& weights, Index most) {
  const Matrix whitening = NystroemFeatures(kernel, points).whitening();
  const Matrix psi = whitening.transpose() * gram<double>(kernel, points, points);
  const EigenPairs leading = eigen_symmetric<double>(psi * weights.asDiagonal() * psi.transpose());
  return whitening * leading.vectors.leftCols(std::min(most, leading.vectors.cols()));
}

Matrix SharedLandmarks::features(const Kernel& kernel, const MatrixView<double>& samples) const {
  return whitening.matrix().transpose() * gram<double>(kernel, points.matrix(), samples);
}

Task<void> require_same_points(Node& node, Array points, Index inputs) {
  if (points.rows() != inputs) {
    fail(ErrorCategory::InvalidArgument,
         "the public landmarks have {} features and the samples of node {} have {}; both need the same",
         points.rows(), node.id(), inputs);
  }
  const double mine = number_of(points);
  Matrix both = Eigen::Vector2d(mine, -mine);
  const Matrix largest = co_await tree_max(node, node.tree(), std::move(both), Kind::control);
  if (largest(0, 0) != -largest(1, 0)) {
    throw Error(
        ErrorCategory::InvalidArgument,
        "the nodes were given different public landmarks; all need the same points in the same order");
  }
}

Task<SharedLandmarks> agreed_landmarks(Node& node, SecureSums& sums, Array shard, Kernel kernel,
                                       LandmarkOptions options) {
  const Seeds seeds = co_await agreed_seeds(node, sums, shard, options);
  const Index count = seeds.points.columns();
  const Index most = options.summed ? require_safe_total(seeds.samples, shard.rows(), count) : count;
  const SeedSums mine = seed_sums(shard.matrix(), seeds.points.matrix());
  // Counts first: sums over few samples are never added up.
  const Matrix counts = co_await secure_sum(node, sums, mine.counts.transpose());
  std::vector<Index> moving;
  if (!options.points) moving = seeds_to_move(counts.row(0), options.min_count);
  Matrix movements = chosen_columns(mine.movements, moving);
  const std::optional<Matrix> total = co_await secure_sum_at_root(node, sums, std::move(movements));
  Message shared(options.points ? Kind::totals : kind_of_centroids(options.min_count));
  if (total) {
    Matrix points = seeds.points.matrix();
    for (Index i = 0; const Index seed : moving) points.col(seed) += total->col(i++) / counts(0, seed);
    const Vector weights = counts.row(0).array() + 1;
    shared.array(points).array(leading_whitening(kernel, points, weights, most));
  }
  const Message agreed = co_await broadcast(node, node.tree(), shared);
  SharedLandmarks landmarks{.points = agreed.array(0), .whitening = agreed.array(1)};
  if (!options.summed) co_return landmarks;
  Matrix psi = landmarks.features(kernel, shard.matrix());
  const std::vector<Index> chosen = co_await features_to_sum(node, sums, std::move(psi), shard.rows());
  landmarks.whitening = Array(chosen_columns(landmarks.whitening.matrix(), chosen));
  co_return landmarks;
}

Task<SharedLandmarks> agreed_landmarks(Node& node, Array shard, Kernel kernel, LandmarkOptions options) {
  SecureSums sums = co_await open_secure_sums(node);
  const SharedLandmarks landmarks = co_await agreed_landmarks(node, sums, std::move(shard), kernel, options);
  co_return landmarks;
}

}  // namespace choir
