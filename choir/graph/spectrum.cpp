#include "choir/graph/spectrum.h"

#include <algorithm>
#include <cmath>

#include "choir/base/error.h"
#include "choir/base/memory.h"
#include "choir/base/text.h"
#include "choir/graph/mixing.h"
#include "choir/linalg/eigen.h"

namespace choir {
namespace {

void require_dense_memory(Index nodes) {
  // The matrix, its eigenvectors and LAPACK's workspace.
  const double bytes = 4.0 * static_cast<double>(nodes) * static_cast<double>(nodes) * sizeof(double);
  const auto available = static_cast<double>(available_memory());
  if (bytes > available) {
    fail(ErrorCategory::OutOfMemory,
         "all eigenvalues of a graph of {} nodes need {}, but {} are available; ask for a spectral summary",
         nodes, human_bytes(bytes), human_bytes(available));
  }
}

// A matrix with the pattern of the graph, and a multiple of the projector on constants taken away:
// y = diagonal .* x + links * x - constant * mean(x).
class GraphOperator final : public SymmetricOperator {
 public:
  GraphOperator(const Graph& graph, std::vector<double> diagonal, std::vector<double> links, double constant)
      : graph_(graph), diagonal_(std::move(diagonal)), links_(std::move(links)), constant_(constant) {}

  Index rows() const override { return graph_.nodes(); }
  void apply(const MatrixView<double>& x, MatrixSpan<double> y) const override {
    for (Index column = 0; column < x.cols(); ++column) {
      const double shift = constant_ * x.col(column).mean();
      for (NodeId node = 0; node < graph_.nodes(); ++node) {
        double sum = diagonal_[static_cast<std::size_t>(node)] * x(node, column) - shift;
        auto link = links_.begin() + graph_.offset(node);
        for (const NodeId other : graph_.neighbors(node)) sum += *link++ * x(other, column);
        y(node, column) = sum;
      }
    }
  }

 private:
  const Graph& graph_;
  std::vector<double> diagonal_;
  std::vector<double> links_;
  double constant_;
};

// scale * M + shift * I with the constants taken away, for the matrix M = diag(diagonal) + links.
struct GraphMatrix {
  std::vector<double> diagonal;
  std::vector<double> links;

  GraphOperator transformed(const Graph& graph, double scale, double shift, double constant) const {
    std::vector<double> d = diagonal;
    std::vector<double> l = links;
    for (double& value : d) value = scale * value + shift;
    for (double& value : l) value *= scale;
    return GraphOperator(graph, std::move(d), std::move(l), constant);
  }
};

GraphMatrix laplacian_parts(const Graph& graph) {
  GraphMatrix parts;
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    parts.diagonal.push_back(static_cast<double>(graph.degree(node)));
  }
  parts.links.assign(2 * static_cast<std::size_t>(graph.edges()), -1.0);
  return parts;
}

GraphMatrix metropolis_parts(const Graph& graph) {
  MetropolisWeights weights = metropolis_weights(graph);
  return {.diagonal = std::move(weights.self), .links = std::move(weights.link)};
}

Matrix dense(const Graph& graph, const GraphMatrix& parts) {
  require_dense_memory(graph.nodes());
  Matrix matrix = Matrix::Zero(graph.nodes(), graph.nodes());
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    matrix(node, node) = parts.diagonal[static_cast<std::size_t>(node)];
    auto link = parts.links.begin() + graph.offset(node);
    for (const NodeId other : graph.neighbors(node)) matrix(node, other) = *link++;
  }
  return matrix;
}

// The largest eigenvalue of op, if the iteration gets it with an error of at most accuracy(value). Solved
// anew and more finely until the residual, which bounds the error, is small enough: mostly the first, cheap
// time will do.
template <class Accuracy>
std::optional<double> largest_eigenvalue(const GraphOperator& op, const Accuracy& accuracy) {
  constexpr Index patience = 30;  // restarts; a value that needs more is not separated from the next one
  for (const double solver_tol : {1e-4, 1e-7}) {
    const auto top = top_eigenpairs<double>(op, {.count = 1, .tol = solver_tol, .max_restarts = patience});
    const double value = top.values[0];
    if (top.residual * std::abs(value) <= accuracy(value)) return value;
    if (!top.converged) break;
  }
  return std::nullopt;
}

SpectralSummary iterated_summary(const Graph& graph, double tol) {
  SpectralSummary summary;
  const GraphMatrix laplacian = laplacian_parts(graph);
  const double bound = 2 * *std::max_element(laplacian.diagonal.begin(), laplacian.diagonal.end());
  summary.lambda_max =
      largest_eigenvalue(laplacian.transformed(graph, 1, 0, 0), [&](double value) { return tol * value; });
  // bound I - L, without the constants, has bound - lambda_2 on top.
  if (const auto top = largest_eigenvalue(laplacian.transformed(graph, -1, bound, bound),
                                          [&](double value) { return tol * (bound - value); })) {
    summary.algebraic_connectivity = bound - *top;
  }
  // The eigenvalues of W lie in (-1, 1]; moved by one, the far ends of both signs are found alike. How far
  // the negative end reaches need not be known well where the positive one reaches further.
  const GraphMatrix metropolis = metropolis_parts(graph);
  const auto accuracy = [&](double value) { return tol * (2 - value); };
  if (const auto positive = largest_eigenvalue(metropolis.transformed(graph, 1, 1, 2), accuracy)) {
    const auto negative = largest_eigenvalue(metropolis.transformed(graph, -1, 1, 0), [&](double value) {
      return std::max(accuracy(value), *positive - value);
    });
    if (negative) {
      summary.mixing = std::max(*positive, *negative) - 1;
      summary.spectral_gap = 1 - *summary.mixing;
    }
  }
  return summary;
}

SpectralSummary dense_summary(const Graph& graph) {
  const Vector laplacian = laplacian_spectrum(graph);
  const Vector metropolis = eigen_symmetric<double>(metropolis_matrix(graph)).values;
  const double mixing = std::max(std::abs(metropolis[1]), std::abs(metropolis[metropolis.size() - 1]));
  return {.algebraic_connectivity = std::max(0.0, laplacian[1]),
          .lambda_max = laplacian[laplacian.size() - 1],
          .mixing = mixing,
          .spectral_gap = 1 - mixing};
}

}  // namespace

Matrix laplacian_matrix(const Graph& graph) { return dense(graph, laplacian_parts(graph)); }

Matrix metropolis_matrix(const Graph& graph) { return dense(graph, metropolis_parts(graph)); }

Vector laplacian_spectrum(const Graph& graph) {
  return eigen_symmetric<double>(laplacian_matrix(graph)).values.reverse();
}

SpectralSummary spectral_summary(const Graph& graph, const SpectralOptions& options) {
  if (graph.nodes() < 2 || graph.nodes() > options.max_nodes) return {};
  return graph.nodes() <= options.max_dense ? dense_summary(graph) : iterated_summary(graph, options.tol);
}

}  // namespace choir
