#include "choir/learn/gossip_pca/feature_claims.h"

#include "learn/central/toy.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/kernel/gram.h"
#include "choir/kernel/nystroem.h"
#include "choir/learn/features/appraisal.h"
#include "choir/linalg/eigen.h"

namespace choir::gossip_pca {
namespace {

using ::testing::HasSubstr;
using testing_toys::falling_scales;

const Kernel rbf{.kind = KernelKind::rbf, .gamma = 0.05};

KernelForm landmark_form(const Kernel& kernel, const Samples& samples, Index landmarks) {
  const Samples points = samples.leftCols(landmarks);
  const SharedLandmarks shared{.points = Array(points),
                               .whitening = Array(NystroemFeatures(kernel, points).whitening())};
  return {.map = {.kernel = kernel, .landmarks = shared}, .samples = Array(samples)};
}

KernelForm random_form(const Samples& samples, Index count) {
  return {.map = {.kernel = rbf, .random = RandomFeaturesOptions{.count = count, .seed = 1}},
          .samples = Array(samples)};
}

GuardedAnswer answer_of(const Matrix& psi, Index kept) {
  const Matrix centred = psi.colwise() - psi.rowwise().mean();
  const EigenPairs pairs =
      eigen_symmetric<double>(centred * centred.transpose() / static_cast<double>(psi.cols()));
  const Index all = std::min<Index>(kept + 4, psi.rows());
  return {.directions = pairs.vectors.leftCols(all), .variances = pairs.values.head(all), .kept = kept};
}

TEST(FeatureClaims, LandmarksMissTheSquaresOutsideTheirSpan) {
  const Samples samples = falling_scales(4, 60);
  const KernelForm form = landmark_form(rbf, samples, 10);
  const Matrix psi = form.map.features(samples);
  EXPECT_NEAR(squares_outside(form, psi), 60 - psi.squaredNorm(), 1e-9);  // k(x, x) = 1
  EXPECT_GT(squares_outside(form, psi), 0.1);
  const KernelForm all = landmark_form(rbf, samples, 60);
  EXPECT_NEAR(squares_outside(all, all.map.features(samples)), 0, 1e-6);
  EXPECT_EQ(squares_outside(random_form(samples, 50), Matrix::Zero(50, 60)), 0);
}

TEST(FeatureClaims, AreThoseOfTheAppraisal) {
  const Samples samples = falling_scales(4, 80);
  const KernelForm form = landmark_form(rbf, samples, 12);
  const Matrix psi = form.map.features(samples);
  const GuardedAnswer answer = answer_of(psi, 2);
  const Vector mean = psi.rowwise().mean();
  const Matrix sums = appraisal_sums(form, answer, mean, psi);
  const Matrix kernel = gram<double>(rbf, samples, samples);
  EXPECT_LE((sums - missed_by_landmarks(answer, mean, psi, kernel).packed()).norm(), 1e-9);
  const AgreedClaims claims = claims_of_features(form.map, answer, Vector::Ones(2), sums);
  EXPECT_LE((claims.similarity - claims_from_sums(answer, sums, Vector::Ones(2))).norm(), 1e-12);
  EXPECT_EQ(claims.captured_share, share_from_sums(answer, sums));

  const KernelForm random = random_form(samples, 30);
  const Matrix features = random.map.features(samples);
  const GuardedAnswer over_random = answer_of(features, 2);
  const Matrix errors = appraisal_sums(random, over_random, features.rowwise().mean(), features);
  const AgreedClaims despite = claims_of_features(random.map, over_random, Vector::Ones(2), errors);
  const double least = despite.similarity.minCoeff();
  EXPECT_LT(least, 1);
  EXPECT_NEAR(least, own_claim(random, features, over_random.variances.head(2)), 1e-9)
      << "of one node alone it is the same";
}

TEST(FeatureClaims, WithoutInnerProductsHalvesAloneCount) {
  const Kernel sigmoid{.kind = KernelKind::sigmoid, .gamma = 2, .coef0 = -1};
  const Samples samples = falling_scales(4, 40);
  const KernelForm form = landmark_form(sigmoid, samples, 10);
  const Matrix psi = form.map.features(samples);
  EXPECT_EQ(squares_outside(form, psi), 0);
  const GuardedAnswer answer = answer_of(psi, 1);
  const Matrix sums = appraisal_sums(form, answer, psi.rowwise().mean(), psi);
  const Vector halves = Vector::Constant(1, 0.7);
  EXPECT_EQ(claims_of_features(form.map, answer, halves, sums).similarity, halves);
}

TEST(FeatureClaims, OfANodeAloneFallWithItsFeatures) {
  const Samples samples = falling_scales(4, 80);
  const auto claim = [&](Index count) {
    const KernelForm form = random_form(samples, count);
    const Matrix psi = form.map.features(samples);
    return own_claim(form, psi, answer_of(psi, 2).variances.head(2));
  };
  const double of_many = claim(500);
  EXPECT_GT(of_many, 0.97);
  EXPECT_LT(claim(20), of_many);
  const KernelForm single = random_form(samples.leftCols(1), 20);
  EXPECT_EQ(own_claim(single, single.map.features(samples.leftCols(1)), Vector::Ones(1)),
            claims_despite_error(Vector::Ones(1), largest_kernel_error(20))(0))
      << "no pairs";
}

TEST(FeatureClaims, AdviseWhatHelps) {
  Options options;
  options.kernel.kind = KernelKind::rbf;
  options.features = FeatureKind::landmarks;
  options.n_landmarks = 77;
  EXPECT_THAT(feature_advice(options, 500), HasSubstr("--n-landmarks above 77"));
  EXPECT_EQ(feature_advice(options, 77), "lower --gamma") << "there are no more samples";
  options.features = FeatureKind::random_features;
  options.n_features = 88;
  EXPECT_THAT(feature_advice(options, 500), HasSubstr("--n-features above 88, or use --features landmarks"));
  options.kernel.kind = KernelKind::sigmoid;
  EXPECT_THAT(feature_advice(options, 500), HasSubstr("another kernel"));
}

}  // namespace
}  // namespace choir::gossip_pca
