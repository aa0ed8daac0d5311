#include "choir/learn/consensus_kpca/quality.h"

#include <limits>
#include <utility>

#include "choir/base/error.h"
#include "choir/base/parallel.h"
#include "choir/kernel/centring.h"
#include "choir/kernel/gram.h"
#include "choir/kernel/random_features.h"
#include "choir/learn/consensus_kpca/centring.h"
#include "choir/linalg/blas.h"
#include "choir/linalg/columns.h"
#include "choir/linalg/polar.h"
#include "choir/linalg/svd.h"

namespace choir::consensus_kpca {
namespace {

// The central directions as they look from samples that are seen from some mean.
class Truth {
 public:
  Truth(const central_kpca::Fit& central, const std::vector<Samples>& shards)
      : central_(central), shards_(shards) {
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

  const Matrix& scores() const { return central_.scores; }  // N x D

 private:
  Matrix clean(std::size_t j) const {
    return central_.scores.middleRows(offsets_[j], offsets_[j + 1] - offsets_[j]);
  }

  const central_kpca::Fit& central_;
  const std::vector<Samples>& shards_;
  std::vector<Index> offsets_;
};

// Some samples of a node with everything that similarity needs: centred kernel, central directions.
struct View {
  Matrix kernel;
  Matrix products;
};

// How the two means of a fit look from the central directions: <mu* - mu, w*_d>.
struct Shifts {
  Vector own;
  Vector shown;
};

Shifts shifts_of(const NodeResult& fit, const Truth& truth) {
  Shifts shifts{.own = truth.shift_to(fit.mean), .shown = {}};
  shifts.shown = shifts.own;
  if (fit.shown_mean_weights.size() > 0) {
    shifts.shown = truth.shift_to({.points = fit.mean.points, .weights = fit.shown_mean_weights});
  }
  return shifts;
}

TwoMeans means_of(const NodeResult& fit, std::size_t members) {
  TwoMeans means;
  if (!fit.mean.points) return means;
  const MeanElement& mu = fit.mean;
  MeanElement shown = mu;
  if (fit.shown_mean_weights.size() > 0) shown.weights = fit.shown_mean_weights;
  for (std::size_t l = 0; l < members; ++l) {
    means.own.push_back(mean_products(fit.kernel, mu, fit.shards[l].matrix()));
    means.shown.push_back(mean_products(fit.kernel, shown, fit.shards[l].matrix()));
  }
  const Vector at_points = mean_products(fit.kernel, shown, mu.points->matrix());  // <phi(z), mu~>
  means.own_norm = mu.norm;
  means.cross = mu.weights.dot(at_points);
  means.shown_norm = shown.weights.dot(at_points);
  return means;
}

View view_of(const NodeResult& fit, std::size_t members, const Truth& truth, const Shifts& shifts) {
  Neighborhood around;
  std::vector<Matrix> parts;
  for (std::size_t l = 0; l < members; ++l) {
    const Array& shard = fit.shards[l];
    around.nodes.push_back(fit.neighborhood[l]);
    around.shards.push_back(shard);
    Matrix part = truth.seen_from(l == 0 ? shifts.own : shifts.shown, fit.neighborhood[l], shard);
    if (fit.centering == Centering::local) part.rowwise() -= part.colwise().mean().eval();
    parts.push_back(part.transpose());
  }
  const CentredKernels kernels =
      centred_kernels(around, fit.kernel, fit.centering, means_of(fit, members), Precision::float64);
  return {.kernel = kernels.neighborhood.dense(), .products = side_by_side(parts).transpose()};
}

double smallest_cosine(const View& view, const Matrix& coefficients) {
  const Matrix overlap = coefficients.transpose() * view.kernel * coefficients;
  const Matrix orthonormal = coefficients * inverse_square_root((overlap + overlap.transpose()) / 2);
  return singular_values(orthonormal.transpose() * view.products).minCoeff();
}

Vector similarity_along(const View& view, const std::vector<Matrix>& iterates) {
  Vector similarity(static_cast<Index>(iterates.size()));
  for (Index t = 0; t < similarity.size(); ++t) {
    similarity(t) = similarity_to(view.kernel, view.products, iterates[static_cast<std::size_t>(t)]).mean();
  }
  return similarity;
}

// What the yardsticks are seen from: the exact mean, whatever the fit knows of it, so that they cannot share
// its errors.
std::optional<CommonMean> yardstick_mean(const NodeResult& fit, const central_kpca::Fit& central) {
  if (fit.centering == Centering::local) return std::nullopt;
  if (fit.centering == Centering::none)
    return CommonMean{.products = Vector::Zero(central.scores.rows()), .norm = 0, .scores = central.scores};
  return exact_mean(central);
}

const NodeResult& any_of(const Fit& fit) {
  for (const auto& node : fit.nodes) {
    if (node) return *node;
  }
  throw Error(ErrorCategory::InvalidArgument, "no node has a result whose quality could be measured");
}

// One node's row of every array.
class NodeQuality {
 public:
  NodeQuality(const Fit& fit, const Truth& truth, const Samples& pooled) : fit_(fit), truth_(truth) {
    const NodeResult& any = any_of(fit);
    if (any.features) {  // every node has a mean of its own
      const RandomFeaturesOptions random{.count = any.features->count, .seed = any.features->seed};
      random_features_ = RandomFeatures::draw(any.kernel, pooled.rows(), random).transform(pooled);
      return;
    }
    shifts_ = shifts_of(any, truth);
    if (any.shared_coefficients.size() == 0) return;
    shared_.kernel =
        gram<double>(any.kernel, any.shared_mean.points->matrix(), any.shared_mean.points->matrix());
    shared_.products = truth.uncentred(any.shared_mean.points->matrix());
  }

  double compute(std::size_t j, Quality& out) const {
    const NodeResult& node = *fit_.nodes[j];
    const auto row = static_cast<Index>(j);
    const Shifts shifts = node.share == Share::random_features ? shifts_of(node, truth_) : shifts_;
    const View own = view_of(node, 1, truth_, shifts);
    out.similarity_own.row(row) = similarity_to(own.kernel, own.products, node.own_coefficients);
    if (node.shared_coefficients.size() > 0) {
      out.similarity_shared.row(row) =
          similarity_to(shared_.kernel, shared_.products, node.shared_coefficients);
    }
    if (node.features) out.similarity_shared.row(row) = correlation_with_central(node);
    if (node.share == Share::samples) {
      const View around = view_of(node, node.shards.size(), truth_, shifts);
      out.similarity_neighborhood.row(row) =
          similarity_to(around.kernel, around.products, node.neighborhood_coefficients);
      out.similarity_after[j] = similarity_along(around, node.iterates);
      return smallest_cosine(around, node.neighborhood_coefficients);
    }
    if (node.share == Share::landmarks) return smallest_cosine(shared_, node.shared_coefficients);
    return smallest_cosine(own, node.own_coefficients);
  }

 private:
  // Directions in random features are not in feature space: their scores are compared.
  Vector correlation_with_central(const NodeResult& node) const {
    const Matrix features = random_features_.colwise() - node.features->mean;
    const Matrix scores = features.transpose() * node.features->directions;
    const Vector products = scores.cwiseProduct(truth_.scores()).colwise().sum().cwiseAbs();
    return products.array() / (scores.colwise().norm().transpose().array() *
                               truth_.scores().colwise().norm().transpose().array());
  }

  const Fit& fit_;
  const Truth& truth_;
  Shifts shifts_;
  View shared_;
  Matrix random_features_;  // m x N, of all samples
};

// Means are over the same nodes, whatever is compared.
void leave_out_crashed(const Fit& fit, Yardsticks& yardsticks) {
  for (std::size_t j = 0; j < fit.nodes.size(); ++j) {
    if (fit.nodes[j]) continue;
    for (Matrix* values : {&yardsticks.local, &yardsticks.gather_own, &yardsticks.gather_neighborhood,
                           &yardsticks.oracle, &yardsticks.oracle_neighborhood}) {
      values->row(static_cast<Index>(j)).setConstant(std::numeric_limits<double>::quiet_NaN());
    }
  }
}

}  // namespace

Quality measure_quality(const Fit& fit, const Graph& graph, const std::vector<Samples>& shards,
                        const central_kpca::Fit& central, const RunOptions& run) {
  const SingleThreadedBlas scope;
  const NodeResult& any = any_of(fit);
  if (central.model.components() != any.eigenvalues.size()) {
    fail(ErrorCategory::InvalidArgument,
         "the fit has {} components and the central one {}; they cannot be compared", any.eigenvalues.size(),
         central.model.components());
  }
  const Truth truth(central, shards);
  Quality quality;
  quality.yardsticks = compute_yardsticks(shards, graph, central,
                                          {.kernel = any.kernel, .mean = yardstick_mean(any, central)}, run);
  const Matrix unknown =
      Matrix::Constant(graph.nodes(), any.eigenvalues.size(), std::numeric_limits<double>::quiet_NaN());
  quality.similarity_own = unknown;
  quality.similarity_after.resize(fit.nodes.size());
  if (any.share == Share::samples) quality.similarity_neighborhood = unknown;
  if (any.shared_coefficients.size() > 0 || any.features) quality.similarity_shared = unknown;
  leave_out_crashed(fit, quality.yardsticks);
  const NodeQuality one(fit, truth, side_by_side(shards));
  Vector cosines = Vector::Zero(graph.nodes());
  double measured = 0;
  for (const auto& node : fit.nodes) measured += node ? 1 : 0;
  parallel_for(graph.nodes(), run.threads, [&](Index j) {
    if (fit.nodes[static_cast<std::size_t>(j)])
      cosines(j) = one.compute(static_cast<std::size_t>(j), quality);
  });
  quality.subspace_cosine_min = cosines.sum() / measured;
  return quality;
}

CentralComparison compare_with_central(const Fit& fit, const Graph& graph, std::vector<Samples> shards,
                                       Precision precision, const RunOptions& run) {
  const NodeResult& any = any_of(fit);
  for (Samples& shard : shards) any.preprocessing.apply(shard);
  central_kpca::Options options;
  options.kernel = any.kernel;
  options.n_components.count = any.eigenvalues.size();
  options.centre = any.centering != Centering::none;
  options.precision = precision;
  const central_kpca::Fit central = fit_central_kpca(side_by_side(shards), options, run);
  return {.quality = measure_quality(fit, graph, shards, central, run), .note = central.note};
}

}  // namespace choir::consensus_kpca
