#include "choir/learn/central/yardsticks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>

#include "choir/base/error.h"
#include "choir/base/parallel.h"
#include "choir/kernel/centring.h"
#include "choir/kernel/gram.h"
#include "choir/linalg/blas.h"
#include "choir/linalg/cholesky.h"
#include "choir/linalg/eigen.h"
#include "choir/linalg/pseudo_inverse.h"

namespace choir {
namespace {

// Some shards, their samples side by side, and where each of them begins.
struct Pool {
  std::vector<NodeId> nodes;
  Samples samples;
  std::vector<Index> begin;  // nodes + 1
};

// Computes one node's row of every yardstick; holds what all nodes share.
class NodeYardsticks {
 public:
  NodeYardsticks(const std::vector<Samples>& shards, const Graph& graph, const central_kpca::Fit& central,
                 const YardstickOptions& options)
      : shards_(shards), graph_(graph), central_(central), options_(options), offsets_(shards.size() + 1, 0) {
    for (std::size_t j = 0; j < shards.size(); ++j) offsets_[j + 1] = offsets_[j] + shards[j].cols();
  }

  void compute(NodeId node, Yardsticks& out) const {
    const Pool pool = neighborhood(node);
    const Index own = pool.begin[1];
    const Index count = central_.scores.cols();
    const Matrix kernel = centred_kernel(pool);    // G_j
    const Matrix products = inner_products(pool);  // <phi_c(x_n), w*_d>
    const Matrix own_kernel = kernel.topLeftCorner(own, own);
    const Matrix own_products = products.topRows(own);

    out.local.row(node) = similarity_of_leading(own_kernel, own_products);
    out.oracle.row(node) = oracle_bound(own_kernel, own_products, options_.rank_cutoff);

    out.gather_neighborhood.row(node) = similarity_of_leading(kernel, products);
    if (kernel.rows() > count) {
      const PseudoInverseBasis basis = pseudo_inverse_basis(own_kernel, options_.rank_cutoff);
      const Matrix projected = basis.lift(basis.coords(kernel.topRows(own) * leading(kernel, count)));
      out.gather_own.row(node) = similarity_to(own_kernel, own_products, projected);
    }
    out.oracle_neighborhood.row(node) = best_in_span(kernel, products);
  }

 private:
  // As oracle_bound(), for many samples: y'(G + ridge)^-1 y instead of all eigenpairs of G.
  Vector best_in_span(Matrix kernel, const Matrix& products) const {
    kernel.diagonal().array() += options_.rank_cutoff * std::max(kernel.trace(), 1e-300);
    const Cholesky factor = cholesky<double>(kernel, ConditionEstimate::no);
    if (!factor.positive_definite)  // an indefinite kernel has no projection
      return Vector::Constant(products.cols(), std::numeric_limits<double>::quiet_NaN());
    return factor.solve_lower(products).colwise().norm();
  }

  // The node first, then its neighbours.
  Pool neighborhood(NodeId node) const {
    Pool pool;
    pool.nodes.push_back(node);
    for (const NodeId other : graph_.neighbors(node)) pool.nodes.push_back(other);
    pool.begin.push_back(0);
    for (const NodeId j : pool.nodes) pool.begin.push_back(pool.begin.back() + shard(j).cols());
    pool.samples.resize(shards_.front().rows(), pool.begin.back());
    for (std::size_t i = 0; i < pool.nodes.size(); ++i) {
      pool.samples.middleCols(pool.begin[i], pool.begin[i + 1] - pool.begin[i]) = shard(pool.nodes[i]);
    }
    return pool;
  }

  Matrix centred_kernel(const Pool& pool) const {
    Matrix kernel = gram<double>(options_.kernel, pool.samples, pool.samples);
    if (!options_.mean) {
      for_each_block(pool, [&](Index row, Index rows, Index column, Index columns) {
        Matrix block = kernel.block(row, column, rows, columns);
        centre_block(block);
        kernel.block(row, column, rows, columns) = block;
      });
    } else {
      const Vector products = rows_of(options_.mean->products, pool);
      kernel.colwise() -= products;
      kernel.rowwise() -= products.transpose();
      kernel.array() += options_.mean->norm;
    }
    return kernel;
  }

  Matrix inner_products(const Pool& pool) const {
    if (options_.mean) return rows_of(options_.mean->scores, pool);
    Matrix products = rows_of(central_.scores, pool);
    for (std::size_t i = 0; i < pool.nodes.size(); ++i) {
      auto rows = products.middleRows(pool.begin[i], pool.begin[i + 1] - pool.begin[i]);
      rows.rowwise() -= rows.colwise().mean().eval();
    }
    return products;
  }

  // Of an array with a row for every sample of the network, those of the pool.
  Matrix rows_of(const Matrix& all, const Pool& pool) const {
    Matrix rows(pool.samples.cols(), all.cols());
    for (std::size_t i = 0; i < pool.nodes.size(); ++i) {
      const auto j = static_cast<std::size_t>(pool.nodes[i]);
      rows.middleRows(pool.begin[i], pool.begin[i + 1] - pool.begin[i]) =
          all.middleRows(offsets_[j], offsets_[j + 1] - offsets_[j]);
    }
    return rows;
  }

  // Of kernel PCA of these samples. So many components need more samples than that: otherwise there is no
  // answer.
  Vector similarity_of_leading(const Matrix& kernel, const Matrix& products) const {
    const Index count = central_.scores.cols();
    if (kernel.rows() <= count) return Vector::Constant(count, std::numeric_limits<double>::quiet_NaN());
    return similarity_to(kernel, products, leading(kernel, count));
  }

  // Coefficients of the leading unit directions in the span of these samples.
  static Matrix leading(const Matrix& kernel, Index count) {
    const EigenPairs top = top_eigenpairs(DenseOperator(kernel), {.count = count, .tol = 1e-8});
    return top.vectors * top.values.cwiseSqrt().cwiseInverse().asDiagonal();
  }

  template <class Visit>
  static void for_each_block(const Pool& pool, Visit visit) {
    for (std::size_t i = 0; i + 1 < pool.begin.size(); ++i) {
      for (std::size_t l = 0; l + 1 < pool.begin.size(); ++l) {
        visit(pool.begin[i], pool.begin[i + 1] - pool.begin[i], pool.begin[l],
              pool.begin[l + 1] - pool.begin[l]);
      }
    }
  }

  const Samples& shard(NodeId node) const { return shards_[static_cast<std::size_t>(node)]; }

  const std::vector<Samples>& shards_;
  const Graph& graph_;
  const central_kpca::Fit& central_;
  const YardstickOptions& options_;
  std::vector<Index> offsets_;  // of each shard among all samples
};

void require_fit(const std::vector<Samples>& shards, const Graph& graph, const central_kpca::Fit& central) {
  const Index total = std::accumulate(shards.begin(), shards.end(), Index{0},
                                      [](Index sum, const Samples& shard) { return sum + shard.cols(); });
  if (static_cast<Index>(shards.size()) != graph.nodes() || total != central.scores.rows()) {
    fail(ErrorCategory::InvalidArgument,
         "{} shards with {} samples do not belong to {} nodes and a fit of {} samples", shards.size(), total,
         graph.nodes(), central.scores.rows());
  }
}

}  // namespace

CommonMean exact_mean(const central_kpca::Fit& central) {
  return {
      .products = central.centring.means(), .norm = central.centring.grand_mean(), .scores = central.scores};
}

Vector oracle_bound(const Matrix& kernel, const Matrix& products, double rank_cutoff) {
  return pseudo_inverse_basis(kernel, rank_cutoff).coords(products).colwise().norm();
}

Vector similarity_to(const Matrix& kernel, const Matrix& products, const Matrix& coefficients) {
  const Vector overlap = coefficients.cwiseProduct(products).colwise().sum().cwiseAbs();
  const Vector squares = coefficients.cwiseProduct(kernel * coefficients).colwise().sum();
  return overlap.array() / squares.array().max(1e-300).sqrt();
}

Yardsticks compute_yardsticks(const std::vector<Samples>& shards, const Graph& graph,
                              const central_kpca::Fit& central, const YardstickOptions& options,
                              const RunOptions& run) {
  const SingleThreadedBlas scope;
  require_fit(shards, graph, central);
  const NodeYardsticks one(shards, graph, central, options);
  const Index count = central.scores.cols();
  const Matrix empty = Matrix::Constant(graph.nodes(), count, std::numeric_limits<double>::quiet_NaN());
  Yardsticks all{.local = empty,
                 .gather_own = empty,
                 .gather_neighborhood = empty,
                 .oracle = empty,
                 .oracle_neighborhood = empty};
  std::mutex reporting;
  Index done = 0;
  parallel_for(graph.nodes(), run.threads, [&](Index node) {
    one.compute(static_cast<NodeId>(node), all);
    const std::lock_guard lock(reporting);
    run.watch.report("yardsticks", ++done, graph.nodes());
  });
  return all;
}

}  // namespace choir
