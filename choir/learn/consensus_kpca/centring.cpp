#include "choir/learn/consensus_kpca/centring.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "choir/base/error.h"
#include "choir/kernel/centring.h"
#include "choir/kernel/gram.h"
#include "choir/learn/plausibility.h"
#include "choir/linalg/columns.h"
#include "choir/runtime/blocks/secure_sum/secure_sum.h"

namespace choir::consensus_kpca {
namespace {

// The samples of the neighbourhood side by side, and where each member's begin.
struct Pool {
  Samples samples;
  std::vector<Index> begin;  // members + 1

  explicit Pool(const Neighborhood& around) : samples(side_by_side(matrices_of(around.shards))), begin(1, 0) {
    for (const Index size : around.sizes()) begin.push_back(begin.back() + size);
  }
  std::size_t members() const { return begin.size() - 1; }
  Index size(std::size_t member) const { return begin[member + 1] - begin[member]; }
  auto block(Matrix& kernel, std::size_t row, std::size_t column) const {
    return kernel.block(begin[row], begin[column], size(row), size(column));
  }
};

// Mean over neighbours l of ||m_j - m_l||^2 / 2, from the means of uncentred blocks.
double half_mean_distance(Matrix& kernel, const Pool& pool) {
  if (pool.members() == 1) return 0;
  const double own = pool.block(kernel, 0, 0).mean();
  double sum = 0;
  for (std::size_t l = 1; l < pool.members(); ++l) {
    sum += own - 2 * pool.block(kernel, 0, l).mean() + pool.block(kernel, l, l).mean();
  }
  return std::max(0.0, sum / (2 * static_cast<double>(pool.members() - 1)));
}

// H_i K_il H_l for all members i, l: every shard loses its own mean.
void centre_blocks(Matrix& kernel, const Pool& pool) {
  for (std::size_t row = 0; row < pool.members(); ++row) {
    for (std::size_t column = 0; column < pool.members(); ++column) {
      Matrix block = pool.block(kernel, row, column);
      centre_block(block);
      pool.block(kernel, row, column) = block;
    }
  }
}

Vector one_after_the_other(const std::vector<Vector>& parts) {
  Index size = 0;
  for (const Vector& part : parts) size += part.size();
  Vector all(size);
  for (Index begin = 0; const Vector& part : parts) {
    all.segment(begin, part.size()) = part;
    begin += part.size();
  }
  return all;
}

// <phi(x) - mean of x, phi(y) - mean of y>: the node's own samples, which come first, are seen from mu, the
// others from mu~.
void centre_by(const TwoMeans& means, Matrix& kernel, Index own) {
  const Vector from_own = one_after_the_other(means.own);
  const Vector from_shown = one_after_the_other(means.shown);
  const Index others = kernel.rows() - own;
  kernel.leftCols(own).colwise() -= from_own;
  kernel.rightCols(others).colwise() -= from_shown;
  kernel.topRows(own).rowwise() -= from_own.transpose();
  kernel.bottomRows(others).rowwise() -= from_shown.transpose();
  kernel.topLeftCorner(own, own).array() += means.own_norm;
  kernel.topRightCorner(own, others).array() += means.cross;
  kernel.bottomLeftCorner(others, own).array() += means.cross;
  kernel.bottomRightCorner(others, others).array() += means.shown_norm;
}

}  // namespace

FeatureMean seen_from(Vector mean, const Matrix& features) {
  const auto count = static_cast<double>(features.cols());
  const Vector own_mean = features.rowwise().mean();
  FeatureMean seen;
  seen.own_between = count * (own_mean - mean).squaredNorm();
  seen.own_total = (features.colwise() - mean).squaredNorm();
  seen.mean = std::move(mean);
  return seen;
}

Task<FeatureMean> agreed_feature_mean(Node& node, SecureSums& sums, const Matrix& features) {
  Matrix mine(1, features.rows() + 1);
  mine << features.rowwise().sum().transpose(), static_cast<double>(features.cols());
  const Matrix sum = co_await secure_sum(node, sums, std::move(mine));
  co_return seen_from(sum.leftCols(features.rows()).transpose() / sum(0, features.rows()), features);
}

MeanElement mean_element(const SharedLandmarks& landmarks, const Vector& mean) {
  return {
      .points = landmarks.points, .weights = landmarks.whitening.matrix() * mean, .norm = mean.squaredNorm()};
}

Vector mean_products(const Kernel& kernel, const MeanElement& mean, const MatrixView<double>& samples) {
  if (!mean.points) return Vector::Zero(samples.cols());
  return gram<double>(kernel, samples, mean.points->matrix()) * mean.weights;
}

Task<TwoMeans> exchange_means(Node& node, const ShownFeatures& features, const Vector& own_mean,
                              const Vector& shown_mean, std::vector<Index> sizes) {
  const bool noisy = features.shown.size() > 0;
  const Matrix& shown = noisy ? features.shown : features.own;
  Message mine(Kind::features);
  mine.array(Vector(shown.transpose() * own_mean));
  if (noisy) mine.array(Vector(shown.transpose() * shown_mean));
  const Inbox inbox = co_await node.exchange(mine, node.deadline());
  require_all(node, inbox);
  TwoMeans means{.own = {features.own.transpose() * own_mean},
                 .shown = {features.own.transpose() * shown_mean},
                 .own_norm = own_mean.squaredNorm(),
                 .cross = own_mean.dot(shown_mean),
                 .shown_norm = shown_mean.squaredNorm()};
  for (const Received& other : inbox) {
    const Index theirs = sizes[static_cast<std::size_t>(other.position) + 1];
    means.own.emplace_back(matrix_from(other, 0, theirs, 1, "inner products"));
    means.shown.emplace_back(matrix_from(other, noisy ? 1 : 0, theirs, 1, "inner products"));
  }
  co_return means;
}

MeanElement mean_of_all(const Neighborhood& around, const Kernel& kernel) {
  Matrix pooled = side_by_side(matrices_of(around.shards));
  const Vector weights = Vector::Constant(pooled.cols(), 1 / static_cast<double>(pooled.cols()));
  MeanElement mean{.points = Array(std::move(pooled)), .weights = weights, .norm = 0};
  mean.norm = weights.dot(mean_products(kernel, mean, mean.points->matrix()));
  return mean;
}

TwoMeans means_seen_from(const MeanElement& mean, const Neighborhood& around, const Kernel& kernel) {
  TwoMeans means{.own = {}, .shown = {}, .own_norm = mean.norm, .cross = mean.norm, .shown_norm = mean.norm};
  for (const Array& shard : around.shards) means.own.push_back(mean_products(kernel, mean, shard.matrix()));
  means.shown = means.own;
  return means;
}

CentredKernels centred_kernels(const Neighborhood& around, const Kernel& kernel, Centering centering,
                               const TwoMeans& means, Precision precision) {
  const Pool pool(around);
  Matrix all = TriangularGram<double>::compute(kernel, pool.samples).dense();
  const double before_centring = pool.block(all, 0, 0).trace();
  const double mean_distance = half_mean_distance(all, pool);
  if (centering == Centering::local) {
    centre_blocks(all, pool);
  } else if (centering == Centering::landmark) {
    centre_by(means, all, pool.size(0));
  }
  Matrix own = pool.block(all, 0, 0);
  // Rounding has a rank, too, relative to itself; what it is small against is what was there before.
  constexpr double rounding = 1e-12;
  const bool equal = std::abs(own.trace()) <= rounding * std::abs(before_centring);
  return {.neighborhood = NeighborhoodKernel(std::move(all), around.sizes(), precision),
          .own = std::move(own),
          .own_are_equal = equal,
          .mean_distance = mean_distance};
}

}  // namespace choir::consensus_kpca
