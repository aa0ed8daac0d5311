#include "choir/model/pre_image.h"

#include <cmath>
#include <numeric>
#include <vector>

#include "choir/base/error.h"
#include "choir/base/rng.h"
#include "choir/kernel/gram.h"
#include "choir/linalg/cholesky.h"
#include "choir/model/chunks.h"
#include "choir/model/overlap.h"
#include "choir/model/plane.h"

namespace choir {
namespace {

Samples chosen_points(const KernelModel& model, Index most) {
  const Index count = model.points.cols();
  if (count <= most) return model.points;
  const std::vector<Index> chosen = Rng(0, Purpose("pre-image regression")).choose(most, count);
  return model.points(Eigen::all, chosen);
}

// beta = g + C s, for each row t of the scores: P x n.
Matrix target_weights(const KernelModel& model, const Matrix& scores, int threads) {
  return plane_points(model.mean_weights, model.coefficients, span_coefficients(model, scores), threads);
}

// Columns that still move in the fixed-point iteration, and the best place each has been to.
class FixedPoint {
 public:
  // beta is P x n, start is M x n.
  FixedPoint(const KernelModel& model, Matrix beta, Samples start, int threads)
      : model_(model),
        beta_(std::move(beta)),
        best_(std::move(start)),
        best_value_(Vector::Constant(best_.cols(), -std::numeric_limits<double>::infinity())),
        moving_(static_cast<std::size_t>(best_.cols())),
        place_(best_),
        threads_(threads) {
    std::iota(moving_.begin(), moving_.end(), Index{0});
  }

  Samples run(const PreImageOptions& options) {
    for (Index i = 0; i < options.max_iter && !moving_.empty(); ++i) step(options.tol);
    return std::move(best_);
  }

 private:
  void step(double tol) {
    // Row n of weights: beta_n k(x, p_n); a column for each x.
    Matrix weights = gram<double>(model_.kernel, model_.points, place_, {.threads = threads_});
    weights.array() *= beta_(Eigen::all, moving_).array();
    const Vector value = weights.colwise().sum();
    const Vector size = weights.cwiseAbs().colwise().sum();
    const Samples sums = multiply(model_.points, weights, threads_);

    std::vector<Index> still, kept;
    for (Index j = 0; j < place_.cols(); ++j) {
      const Index column = moving_[static_cast<std::size_t>(j)];
      if (value[j] > best_value_[column]) {
        best_value_[column] = value[j];
        best_.col(column) = place_.col(j);
      }
      // A denominator that vanishes among its terms points nowhere (a negative one: uphill the wrong way).
      if (!(value[j] > 1e-10 * size[j])) continue;
      const Vector next = sums.col(j) / value[j];
      const double moved = std::sqrt(model_.kernel.gamma) * (next - place_.col(j)).norm();
      place_.col(j) = next;
      if (!(moved > tol)) continue;
      still.push_back(column);
      kept.push_back(j);
    }
    place_ = Samples(place_(Eigen::all, kept));
    moving_ = std::move(still);
  }

  const KernelModel& model_;
  Matrix beta_;
  Samples best_;
  Vector best_value_;
  std::vector<Index> moving_;  // columns of beta and best
  Samples place_;              // M x moving
  int threads_;
};

}  // namespace

Matrix scores_from(const KernelModel& model, const Matrix& kernel_values) {
  Matrix scores = kernel_values * model.coefficients;
  scores.rowwise() -= model.offset.transpose();
  return scores;
}

ScoreRegression::ScoreRegression(const KernelModel& model, const PreImageOptions& options, int threads) {
  const Samples points = chosen_points(model, options.max_regression_points);
  scores_ =
      scores_from(model, gram<double>(model.kernel, points, model.points, {.threads = threads})).transpose();
  mean_ = points.rowwise().mean();

  const double variance = (scores_.colwise() - scores_.rowwise().mean()).colwise().squaredNorm().mean();
  kernel_ = {.kind = KernelKind::rbf, .gamma = std::isnormal(variance) ? 1 / variance : 1};
  Matrix gram_matrix = gram<double>(kernel_, scores_, scores_, {.threads = threads});
  gram_matrix.diagonal().array() += options.alpha;
  if (!gram_matrix.allFinite())
    fail(ErrorCategory::Numerical,
         "the regression of the points on their scores failed; check that the coefficients are finite");
  const Cholesky factor = cholesky(gram_matrix, ConditionEstimate::no);  // alpha makes it positive definite
  weights_ = factor.solve((points.colwise() - mean_).transpose()).transpose();
}

Samples ScoreRegression::predict(const Matrix& scores, int threads) const {
  const Matrix block = gram<double>(kernel_, scores_, scores.transpose(), {.threads = threads});
  Samples samples = multiply(weights_, block, threads);
  samples.colwise() += mean_;
  return samples;
}

Samples pre_images(const KernelModel& model, const Matrix& scores, int threads,
                   const PreImageOptions& options) {
  if (model.kernel.kind == KernelKind::linear && !model.kernel.normalized) {
    const Matrix directions = model.points * model.coefficients;  // M x D
    return plane_points(model.points * model.mean_weights, directions, span_coefficients(model, scores),
                        threads);
  }
  const ScoreRegression regression(model, options, threads);
  Samples samples(model.features(), scores.rows());
  for_each_chunk(scores.rows(), model.points.cols(), [&](Index first, Index count) {
    const Matrix piece = scores.middleRows(first, count);
    Samples found = regression.predict(piece, threads);
    if (model.kernel.kind == KernelKind::rbf)
      found =
          FixedPoint(model, target_weights(model, piece, threads), std::move(found), threads).run(options);
    samples.middleCols(first, count) = found;
  });
  return samples;
}

}  // namespace choir
