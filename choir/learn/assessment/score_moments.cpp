#include "choir/learn/assessment/score_moments.h"

#include "choir/base/error.h"
#include "choir/linalg/eigen.h"
#include "choir/runtime/blocks/tree_sum.h"

namespace choir {

ScoreMoments score_moments(const Matrix& scores) {
  return {.samples = static_cast<double>(scores.rows()),
          .sum = scores.colwise().sum(),
          .squares = scores.transpose() * scores};
}

Vector captured_variance(const ScoreMoments& moments) {
  if (!(moments.samples > 0)) {
    throw Error(ErrorCategory::InvalidArgument,
                "captured variance is a mean over samples, and there are none");
  }
  const Vector mean = moments.sum / moments.samples;
  const Matrix covariance = moments.squares / moments.samples - mean * mean.transpose();
  return eigen_symmetric<double>((covariance + covariance.transpose()) / 2).values.cwiseMax(0);
}

Task<ScoreMoments> agreed_score_moments(Node& node, ScoreMoments mine) {
  const Index columns = mine.squares.cols();
  Matrix packed = Matrix::Zero(columns + 1, columns + 1);
  packed.topLeftCorner(columns, columns) = mine.squares;
  packed.col(columns).head(columns) = mine.sum;
  packed(columns, columns) = mine.samples;
  const Matrix sum = co_await tree_sum(node, node.tree(), std::move(packed));
  ScoreMoments all{.samples = sum(columns, columns),
                   .sum = sum.col(columns).head(columns),
                   .squares = sum.topLeftCorner(columns, columns)};
  co_return all;
}

}  // namespace choir
