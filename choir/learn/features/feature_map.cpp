#include "choir/learn/features/feature_map.h"

#include <algorithm>

#include "choir/linalg/pseudo_inverse.h"

namespace choir {
namespace {

constexpr Index fewest_regressed = 10;
constexpr Index samples_per_column = 4;

bool tells_of_few(Index samples, Index scores) {
  return samples < std::max(fewest_regressed, samples_per_column * (scores + 1));
}

}  // namespace

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
  if (tells_of_few(samples.cols(), scores.cols()))
    return {.mean = Vector::Zero(samples.rows()), .slopes = Matrix::Zero(samples.rows(), scores.cols())};
  const Vector mean = samples.rowwise().mean();
  const Eigen::RowVectorXd mean_score = scores.colwise().mean();
  const Matrix centred = scores.rowwise() - mean_score;
  const auto inverse = pseudo_inverse_basis<double>(centred.transpose() * centred);
  const Matrix products = centred.transpose() * (samples.colwise() - mean).transpose();  // D x M
  Matrix slopes = inverse.lift(inverse.coords(products)).transpose();
  return {.mean = mean - slopes * mean_score.transpose(), .slopes = std::move(slopes)};
}

}  // namespace choir
