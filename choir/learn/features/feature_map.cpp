#include "choir/learn/features/feature_map.h"

#include "choir/linalg/pseudo_inverse.h"

namespace choir {

Matrix FeatureMap::features(const MatrixView<double>& samples) const {
  if (landmarks) return landmarks->features(kernel, samples);
  Matrix all = store ? store->get(kernel, samples.rows(), *random)->transform(samples)
                     : RandomFeatures::draw(kernel, samples.rows(), *random).transform(samples);
  if (!reduction) return all;
  return reduction->matrix().transpose() * all;
}

Matrix FeatureMap::lifted(const Matrix& directions) const {
  return reduction ? Matrix(reduction->matrix() * directions) : directions;
}

SampleRegression regress_samples(const MatrixView<double>& samples, const Matrix& scores) {
  const Vector mean = samples.rowwise().mean();
  const Eigen::RowVectorXd mean_score = scores.colwise().mean();
  const Matrix centred = scores.rowwise() - mean_score;
  const auto inverse = pseudo_inverse_basis<double>(centred.transpose() * centred);
  const Matrix products = centred.transpose() * (samples.colwise() - mean).transpose();  // D x M
  Matrix slopes = inverse.lift(inverse.coords(products)).transpose();
  return {.mean = mean - slopes * mean_score.transpose(), .slopes = std::move(slopes)};
}

}  // namespace choir
