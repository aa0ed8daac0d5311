#include "choir/learn/consensus_kpca/quality.h"

#include <limits>
#include <utility>

#include <Eigen/SVD>

#include "choir/base/error.h"
#include "choir/base/parallel.h"
#include "choir/kernel/centring.h"
#include "choir/kernel/gram.h"
#include "choir/learn/consensus_kpca/centring.h"
#include "choir/linalg/blas.h"
#include "choir/linalg/polar.h"

namespace choir {
namespace {

// The central directions as they look from samples that are seen from some mean.
class Truth {
 public:
  Truth(const CentralKpca& central, const std::vector<Samples>& shards) : central_(central), shards_(shards) {
    offsets_.push_back(0);
    for (const Samples& shard : shards) offsets_.push_back(offsets_.back() + shard.cols());
  }

  // <phi(x), w*_d>: n x D.
  Matrix uncentred(const MatrixView<double>& samples) const {
    Matrix products = central_.model.transform(samples);
    products.rowwise() += central_.model.offset.transpose();
    return products;
  }

  // <mu* - mu, w*_d>, mu* the central fit's own mean: D.
  Vector shift_to(const MeanElement& mean) const {
    if (!mean.points) return Vector::Zero(central_.model.components());
    return central_.model.offset - uncentred(mean.points->matrix()).transpose() * mean.weights;
  }

  // <phi(x) - mu, w*_d> for a shard that a node has: its own, or a neighbour's, which may have come with
  // noise.
  Matrix seen_from(const Vector& shift, NodeId node, const Array& shard) const {
    const auto j = static_cast<std::size_t>(node);
    Matrix scores = shards_[j] == shard.matrix() ? clean(j) : central_.model.transform(shard.matrix());
    scores.rowwise() += shift.transpose();
    return scores;
  }

  Matrix all_seen_from(const Vector& shift) const { return central_.scores.rowwise() + shift.transpose(); }

 private:
  Matrix clean(std::size_t j) const {
    return central_.scores.middleRows(offsets_[j], offsets_[j + 1] - offsets_[j]);
  }

  const CentralKpca& central_;
  const std::vector<Samples>& shards_;
  std::vector<Index> offsets_;
};

// Some samples of a node with everything that similarity needs: centred kernel, central directions.
struct View {
  Matrix kernel;
  Matrix products;
};

View view_of(const ConsensusKpca& fit, std::size_t members, const Truth& truth, const Vector& shift) {
  Neighborhood around;
  std::vector<Vector> means;
  std::vector<Matrix> parts;
  Index rows = 0;
  for (std::size_t l = 0; l < members; ++l) {
    const Array& shard = fit.shards[l];
    around.nodes.push_back(fit.neighborhood[l]);
    around.shards.push_back(shard);
    if (fit.mean.points) means.push_back(mean_products(fit.kernel, fit.mean, shard.matrix()));
    Matrix part = truth.seen_from(shift, fit.neighborhood[l], shard);
    if (fit.centering == Centering::local) part.rowwise() -= part.colwise().mean().eval();
    rows += part.rows();
    parts.push_back(std::move(part));
  }
  const CentredKernels kernels =
      centred_kernels(around, fit.kernel, fit.centering, means, fit.mean.norm, Precision::float64);
  View view{.kernel = kernels.neighborhood.times(Matrix::Identity(rows, rows)), .products = {}};
  view.products.resize(rows, parts.front().cols());
  Index begin = 0;
  for (const Matrix& part : parts) {
    view.products.middleRows(begin, part.rows()) = part;
    begin += part.rows();
  }
  return view;
}

double smallest_cosine(const View& view, const Matrix& coefficients) {
  const Matrix overlap = coefficients.transpose() * view.kernel * coefficients;
  const Matrix orthonormal = coefficients * inverse_square_root((overlap + overlap.transpose()) / 2);
  const Eigen::JacobiSVD<Matrix> svd(orthonormal.transpose() * view.products);
  return svd.singularValues().minCoeff();
}

CommonMean common_mean(const ConsensusKpca& fit, const std::vector<Samples>& shards, const Truth& truth,
                       Index samples) {
  CommonMean mean;
  mean.norm = fit.mean.norm;
  mean.scores = truth.all_seen_from(truth.shift_to(fit.mean));
  mean.products.resize(samples);
  Index begin = 0;
  for (const Samples& shard : shards) {
    mean.products.segment(begin, shard.cols()) = mean_products(fit.kernel, fit.mean, shard);
    begin += shard.cols();
  }
  return mean;
}

// What the yardsticks are seen from: the fit's mean if all nodes share it, otherwise the exact one.
std::optional<CommonMean> yardstick_mean(const ConsensusKpca& fit, const std::vector<Samples>& shards,
                                         const Truth& truth, const CentralKpca& central) {
  if (fit.centering == Centering::local) return std::nullopt;
  if (fit.share == Share::random_features) return exact_mean(central);
  return common_mean(fit, shards, truth, central.scores.rows());
}

const ConsensusKpca& any_of(const ConsensusKpcaFit& fit) {
  for (const auto& node : fit.nodes) {
    if (node) return *node;
  }
  throw Error(ErrorCategory::InvalidArgument, "no node has a result whose quality could be measured");
}

// One node's row of every array.
class NodeQuality {
 public:
  NodeQuality(const ConsensusKpcaFit& fit, const Truth& truth) : fit_(fit), truth_(truth) {
    const ConsensusKpca& any = any_of(fit);
    if (any.share == Share::random_features) return;  // every node has a mean of its own
    shift_ = truth.shift_to(any.mean);
    if (any.share != Share::landmarks) return;
    shared_.kernel = gram<double>(any.kernel, any.mean.points->matrix(), any.mean.points->matrix());
    shared_.products = truth.uncentred(any.mean.points->matrix());
  }

  double compute(std::size_t j, ConsensusQuality& out) const {
    const ConsensusKpca& node = *fit_.nodes[j];
    const auto row = static_cast<Index>(j);
    const Vector shift = node.share == Share::random_features ? truth_.shift_to(node.mean) : shift_;
    const View own = view_of(node, 1, truth_, shift);
    out.similarity_own.row(row) = similarity_to(own.kernel, own.products, node.own_coefficients);
    if (node.share == Share::samples) {
      const View around = view_of(node, node.shards.size(), truth_, shift);
      out.similarity_neighborhood.row(row) =
          similarity_to(around.kernel, around.products, node.neighborhood_coefficients);
      return smallest_cosine(around, node.neighborhood_coefficients);
    }
    if (node.share == Share::landmarks) {
      out.similarity_shared.row(row) =
          similarity_to(shared_.kernel, shared_.products, node.shared_coefficients);
      return smallest_cosine(shared_, node.shared_coefficients);
    }
    return smallest_cosine(own, node.own_coefficients);
  }

 private:
  const ConsensusKpcaFit& fit_;
  const Truth& truth_;
  Vector shift_;
  View shared_;
};

}  // namespace

ConsensusQuality measure_quality(const ConsensusKpcaFit& fit, const Graph& graph,
                                 const std::vector<Samples>& shards, const CentralKpca& central,
                                 const QualityOptions& options) {
  const SingleThreadedBlas scope;
  const ConsensusKpca& any = any_of(fit);
  if (central.model.components() != any.eigenvalues.size()) {
    fail(ErrorCategory::InvalidArgument,
         "the fit has {} components and the central one {}; they cannot be compared", any.eigenvalues.size(),
         central.model.components());
  }
  const Truth truth(central, shards);
  ConsensusQuality quality;
  quality.yardsticks = compute_yardsticks(shards, graph, central,
                                          {.kernel = any.kernel,
                                           .mean = yardstick_mean(any, shards, truth, central),
                                           .threads = options.threads,
                                           .watch = options.watch});
  const Matrix unknown =
      Matrix::Constant(graph.nodes(), any.eigenvalues.size(), std::numeric_limits<double>::quiet_NaN());
  quality.similarity_own = unknown;
  if (any.share == Share::samples) quality.similarity_neighborhood = unknown;
  if (any.share == Share::landmarks) quality.similarity_shared = unknown;
  const NodeQuality one(fit, truth);
  Vector cosines = Vector::Zero(graph.nodes());
  double measured = 0;
  for (const auto& node : fit.nodes) measured += node ? 1 : 0;
  parallel_for(graph.nodes(), options.threads, [&](Index j) {
    if (fit.nodes[static_cast<std::size_t>(j)])
      cosines(j) = one.compute(static_cast<std::size_t>(j), quality);
  });
  quality.subspace_cosine_min = cosines.sum() / measured;
  return quality;
}

}  // namespace choir
