#include "choir/learn/federated_kmeans/fea.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "codec/support.h"
#include "learn/federated_kmeans/toy.h"
#include <gtest/gtest.h>

#include "choir/kernel/gram.h"

namespace choir::federated_kmeans {
namespace {

TEST(Fea, StepsAreNeverAboveOne) {
  EXPECT_EQ(fea_step(1), 1);
  EXPECT_EQ(fea_step(2), 1);
  EXPECT_EQ(fea_step(4), 0.5);
}

TEST(Fea, ShrinksEigenvaluesByEtaLambda) {
  EigenPairs spectrum;
  spectrum.values = Vector{{8, 4, 2, 1}};
  spectrum.vectors = Matrix::Identity(4, 4);
  const Matrix map = shrunk_map(spectrum, {.eta = 0.5, .lambda = 4, .rank = 4});
  ASSERT_EQ(map.cols(), 2);  // 2 is not above 0.5 * 4
  const Matrix shrunk = map.transpose() * spectrum.values.asDiagonal() * map;
  EXPECT_NEAR(shrunk(0, 0), 8 - 2, 1e-14);
  EXPECT_NEAR(shrunk(1, 1), 4 - 2, 1e-14);
  EXPECT_EQ(shrunk_map(spectrum, {.eta = 0.5, .lambda = 4, .rank = 1}).cols(), 1);
  EXPECT_EQ(fea_threshold(spectrum.values, 2), 2);
  EXPECT_EQ(fea_threshold(spectrum.values, 4), 0);
  EXPECT_THAT(
      sentence(ErrorCategory::Numerical, [&] { shrunk_map(spectrum, {.eta = 1, .lambda = 9, .rank = 4}); }),
      ::testing::HasSubstr("no eigenvalue is above 9"));
}

// || BB' - sum_{l > lambda} (l - lambda) u u' ||^2 / N^2
double squared_error(const Matrix& b, const Matrix& truth) {
  return (b.transpose() * b - truth).squaredNorm() / std::pow(static_cast<double>(b.cols()), 2);
}

double slope_of(const std::vector<double>& x, const std::vector<double>& y) {
  const Eigen::Map<const Vector> a(x.data(), std::ssize(x)), b(y.data(), std::ssize(y));
  const Vector centred = a.array() - a.mean();
  return centred.dot(b) / centred.squaredNorm();
}

TEST(Fea, ConvergesAtLeastAsOneOverTWithPairedOrthogonalFeatures) {
  constexpr Index n = 250;
  const Samples samples = testing::digits(n).samples;
  const Kernel kernel{.gamma = testing::fourfold_median(samples).value};
  const EigenPairs exact = eigen_symmetric<double>(gram<double>(kernel, samples, samples));
  const double lambda = 0.01 * n;
  const Vector shrunk = (exact.values.array() - lambda).max(0);
  const Matrix truth = exact.vectors * shrunk.asDiagonal() * exact.vectors.transpose();
  const std::vector<Index> looks = {10, 20, 50, 100, 200};
  std::vector<double> errors(looks.size());
  for (const std::uint64_t seed : {1, 2, 3}) {
    central_fea(samples, kernel,
                {.random_features = 200,
                 .iterations = 200,
                 .rank = 200,
                 .lambda = lambda,
                 .seed = seed,
                 .observe = [&](Index t, const Matrix& b) {
                   const auto look = std::find(looks.begin(), looks.end(), t) - looks.begin();
                   if (look < std::ssize(looks))
                     errors[static_cast<std::size_t>(look)] += squared_error(b, truth);
                 }});
  }
  std::vector<double> log_t, log_error;
  for (std::size_t i = 0; i < looks.size(); ++i) {
    log_t.push_back(std::log(static_cast<double>(looks[i])));
    log_error.push_back(std::log(errors[i]));
  }
  EXPECT_LE(slope_of(log_t, log_error), -1.0);
}

// A fixed point: (1 - eta) (l - lambda) + eta l - eta lambda = l - lambda.
TEST(Fea, WithOneDrawTheFirstIterateIsTheLast) {
  const Samples samples = testing::clusters(100, 5, 4, 3).samples;
  std::vector<Matrix> kernels;
  const auto keep = [&](Index, const Matrix& b) { kernels.push_back(b.transpose() * b); };
  CentralFeaOptions options{
      .random_features = 60, .iterations = 6, .rank = 100, .lambda = 2, .seed = 1, .observe = keep};
  options.one_draw = true;
  central_fea(samples, {.gamma = 0.1}, options);
  EXPECT_LT((kernels[5] - kernels[0]).norm(), 1e-11 * kernels[0].norm());
  options.one_draw = false;
  central_fea(samples, {.gamma = 0.1}, options);
  EXPECT_GT((kernels[11] - kernels[0]).norm(), 1e-2 * kernels[0].norm());
}

TEST(Fea, StagesOfTheModelGiveTheIterates) {
  const Samples samples = testing::clusters(200, 5, 4, 3).samples;
  Matrix last;
  ClusterModel model{.kernel = {.gamma = 0.1}, .sample_features = 4};
  model.stages = central_fea(
      samples, model.kernel,
      {.random_features = 60, .iterations = 4, .rank = 7, .seed = 1, .observe = [&](Index, const Matrix& b) {
         last = b;
       }});
  ASSERT_EQ(last.rows(), 7);
  model.centroids = Matrix::Zero(7, 1);
  EXPECT_LT((model.embed(samples).transpose() - last).cwiseAbs().maxCoeff(), 1e-12);
}

}  // namespace
}  // namespace choir::federated_kmeans
