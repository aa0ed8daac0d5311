#include "choir/learn/assessment/score_moments.h"

#include "choir/base/error.h"
#include "choir/linalg/eigen.h"

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

}  // namespace choir
