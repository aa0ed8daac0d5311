#include "choir/learn/federated_kmeans/fea.h"

#include <cmath>

#include "codec/support.h"
#include "learn/federated_kmeans/toy.h"
#include <gtest/gtest.h>

#include "choir/kernel/gram.h"

namespace choir {
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

TEST(Fea, ConvergesAtLeastAsOneOverT) {
  constexpr Index n = 300;
  const Samples samples = testing::clusters(n, 10, 12, 7).samples;
  const Kernel kernel{.gamma = 0.02};
  const EigenPairs exact = eigen_symmetric<double>(gram<double>(kernel, samples, samples));
  const double lambda = 0.01 * n;
  const Vector shrunk = (exact.values.array() - lambda).max(0);
  const Matrix truth = exact.vectors * shrunk.asDiagonal() * exact.vectors.transpose();
  for (const std::uint64_t seed : {1, 2, 3}) {
    double first = 0, last = 0;
    central_fea(samples, kernel,
                {.random_features = 100,
                 .iterations = 200,
                 .rank = 100,
                 .lambda = lambda,
                 .seed = seed,
                 .observe = [&](Index t, const Matrix& b) {
                   if (t == 10) first = squared_error(b, truth);
                   if (t == 200) last = squared_error(b, truth);
                 }});
    const double slope = std::log(last / first) / std::log(200.0 / 10.0);
    RecordProperty("slope", std::to_string(slope));
    EXPECT_LE(slope, -1.0) << "seed " << seed << ", from " << first << " to " << last;
  }
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
}  // namespace choir
