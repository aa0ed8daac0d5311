#include "choir/learn/consensus_kpca/centring.h"

#include <algorithm>
#include <utility>

#include "choir/base/error.h"
#include "choir/kernel/centring.h"
#include "choir/kernel/gram.h"
#include "choir/runtime/blocks/tree_sum.h"

namespace choir {
namespace {

// Collects ||m_j - m_l||^2 from the means of uncentred blocks.
class MeanDistance {
 public:
  void see(std::size_t row, std::size_t column, const Matrix& block) {
    if (row == 0 && column == 0) {
      own_ = block.mean();
    } else if (row == 0) {
      sum_ += own_ - 2 * block.mean();
      ++neighbors_;
    } else if (row == column) {
      sum_ += block.mean();
    }
  }
  double half_mean() const { return neighbors_ == 0 ? 0 : std::max(0.0, sum_ / (2 * neighbors_)); }

 private:
  double own_ = 0;
  double sum_ = 0;
  double neighbors_ = 0;
};

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

Task<FeatureMean> agreed_feature_mean(Node& node, const Matrix& features) {
  Matrix mine(features.rows() + 1, 1);
  mine.topRows(features.rows()) = features.rowwise().sum();
  mine(features.rows(), 0) = static_cast<double>(features.cols());
  const Matrix sum = co_await tree_sum(node, node.tree(), mine);
  co_return seen_from(sum.topRows(features.rows()) / sum(features.rows(), 0), features);
}

MeanElement mean_element(const SharedLandmarks& landmarks, const Vector& mean) {
  return {.points = landmarks.points,
          .weights = landmarks.whitening.matrix() * mean,
          .norm = mean.squaredNorm()};
}

Vector mean_products(const Kernel& kernel, const MeanElement& mean, const MatrixView<double>& samples) {
  if (!mean.points) return Vector::Zero(samples.cols());
  return gram<double>(kernel, samples, mean.points->matrix()) * mean.weights;
}

Task<std::vector<Vector>> exchange_mean_products(Node& node, Vector own, Vector shown) {
  Message mine(Kind::features);
  mine.array(shown);
  const Inbox inbox = co_await node.exchange(mine, node.deadline());
  require_all(node, inbox);
  std::vector<Vector> products = {std::move(own)};
  for (const Received& other : inbox) products.push_back(other.message.array(0).matrix());
  co_return products;
}

Resemblance resemblance_of(const Matrix& kernel) {
  const Vector scales = kernel.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  const double all = scales.dot(kernel * scales);
  const auto n = static_cast<double>(kernel.rows());
  return {.sum = all - n, .pairs = n * (n - 1)};
}

CentredKernels centred_kernels(const Neighborhood& around, const Kernel& kernel, Centering centering,
                               const std::vector<Vector>& products, double mean_norm, Precision precision) {
  CentredKernels kernels{
      .neighborhood = NeighborhoodKernel(around.sizes(), precision), .own = {}, .resemblance = {}};
  const std::size_t members = around.shards.size();
  MeanDistance distance;
  for (std::size_t row = 0; row < members; ++row) {
    for (std::size_t column = row; column < members; ++column) {
      Matrix block = gram<double>(kernel, around.shards[row].matrix(), around.shards[column].matrix());
      if (row + column == 0) kernels.resemblance = resemblance_of(block);
      distance.see(row, column, block);
      if (centering == Centering::local) {
        centre_block(block);
      } else if (!products.empty()) {
        block.colwise() -= products[row];
        block.rowwise() -= products[column].transpose();
        block.array() += mean_norm;
      }
      kernels.neighborhood.set_block(static_cast<Index>(row), static_cast<Index>(column), block);
      if (row + column == 0) kernels.own = std::move(block);
    }
  }
  kernels.mean_distance = distance.half_mean();
  return kernels;
}

}  // namespace choir
