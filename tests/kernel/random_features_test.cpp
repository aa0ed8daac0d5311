#include "choir/kernel/random_features.h"

#include <cmath>

#include "kernel/support.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace choir {
namespace {

// Mean squared error of Z'Z against K over a few seeds.
double error_of(const Kernel& kernel, const Samples& x, Index count, bool orthogonal) {
  const Matrix truth = plain_gram(kernel, x, x);
  double total = 0;
  constexpr int seeds = 10;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const Matrix z =
        RandomFeatures::draw(kernel, x.rows(), {.count = count, .seed = seed, .orthogonal = orthogonal})
            .transform(x);
    total += (z.transpose() * z - truth).squaredNorm() / static_cast<double>(truth.size());
  }
  return total / seeds;
}

TEST(RandomFeatures, ProductsConvergeToTheKernel) {
  const Samples x = normal_samples(8, 40, 70);
  for (const Kernel& kernel :
       {Kernel{.kind = KernelKind::rbf, .gamma = 0.1}, Kernel{.kind = KernelKind::laplacian, .gamma = 0.1}}) {
    const double few = error_of(kernel, x, 200, true), many = error_of(kernel, x, 3200, true);
    EXPECT_LT(std::sqrt(many), 0.03) << describe(kernel);
    EXPECT_LT(many, few / 8) << describe(kernel);  // 16 times the features: a sixteenth of the error, about
  }
}

TEST(RandomFeatures, OrthogonalFrequenciesErrLessThanIndependentOnes) {
  const Samples x = normal_samples(16, 40, 71);
  const Kernel kernel{.gamma = 0.02};
  EXPECT_LT(error_of(kernel, x, 64, true), 0.8 * error_of(kernel, x, 64, false));
}

TEST(RandomFeatures, BlocksOfFrequenciesAreOrthogonalAndAsLongAsNormalVectors) {
  const auto features = RandomFeatures::draw({.gamma = 0.5}, 6, {.count = 12000, .seed = 1});
  const Matrix& w = features.frequencies();
  for (const Index first : {0, 6, 5994}) {
    const Matrix products = w.middleCols(first, 6).transpose() * w.middleCols(first, 6);
    EXPECT_LE((products - Matrix(products.diagonal().asDiagonal())).cwiseAbs().maxCoeff(), 1e-12);
  }
  // Marginally N(0, 2 gamma I) = N(0, I): second moments within a few standard errors.
  const Matrix covariance = w * w.transpose() / 6000;
  EXPECT_LE((covariance - Matrix::Identity(6, 6)).cwiseAbs().maxCoeff(), 0.1);
  EXPECT_LE(w.rowwise().mean().cwiseAbs().maxCoeff(), 0.06);
}

TEST(RandomFeatures, TheSeedIsAllThatNodesShare) {
  const Samples x = normal_samples(5, 600, 72);
  const RandomFeaturesOptions options{.count = 33, .seed = 9};
  const Matrix here = RandomFeatures::draw({}, 5, options).transform(x.leftCols(300), 1);
  const Matrix there = RandomFeatures::draw({}, 5, options).transform(x, 3);
  EXPECT_EQ(there.leftCols(256), here.leftCols(256));
  EXPECT_EQ(RandomFeatures::draw({}, 5, options).transform(x, 1), there);
  EXPECT_NE(RandomFeatures::draw({}, 5, {.count = 33, .seed = 10}).frequencies(),
            RandomFeatures::draw({}, 5, options).frequencies());
}

TEST(RandomFeatures, AreCosinesAndSinesOfTheSameFrequencies) {
  const Samples x = normal_samples(3, 4, 73);
  for (const Index count : {6, 7}) {
    const auto features = RandomFeatures::draw({.gamma = 0.3}, 3, {.count = count, .seed = 2});
    const Index pairs = count / 2;
    const Matrix angles = features.frequencies().transpose() * x;
    const Matrix z = features.transform(x) / std::sqrt(2.0 / static_cast<double>(count));
    EXPECT_LE((z.topRows(pairs) - angles.topRows(pairs).array().cos().matrix()).norm(), 1e-13);
    EXPECT_LE((z.bottomRows(pairs) - angles.topRows(pairs).array().sin().matrix()).norm(), 1e-13);
    if (count == 6) continue;
    const Matrix left_over = (angles.row(pairs).array() + features.phases()(pairs)).cos();
    EXPECT_LE((z.row(pairs) - left_over).norm(), 1e-13);
  }
}

TEST(RandomFeatures, KeepTheLengthOfPhi) {
  const Samples x = normal_samples(5, 20, 74);
  const Matrix z = RandomFeatures::draw({.gamma = 0.2}, 5, {.count = 10, .seed = 3}).transform(x);
  EXPECT_LE((z.colwise().squaredNorm().array() - 1).abs().maxCoeff(), 1e-13);
}

TEST(RandomFeatures, ErrorsNameTheTrouble) {
  EXPECT_THAT(message_of([] { RandomFeatures::draw({.kind = KernelKind::poly}, 3, {}); }),
              HasSubstr("poly kernel has no random Fourier features"));
  EXPECT_THAT(message_of([] { RandomFeatures::draw({}, 3, {.count = 0}); }), HasSubstr("0 random features"));
  EXPECT_THAT(message_of([] { RandomFeatures::draw({.gamma = 0}, 3, {}); }), HasSubstr("gamma is 0"));
  EXPECT_THAT(message_of([] { RandomFeatures::draw({}, 3, {}).transform(Samples::Zero(4, 2)); }),
              HasSubstr("4 features"));
}

}  // namespace
}  // namespace choir
