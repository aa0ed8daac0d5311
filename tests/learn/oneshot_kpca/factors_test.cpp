#include "choir/learn/oneshot_kpca/factors.h"

#include <limits>

#include "graph/expect_error.h"
#include "learn/oneshot_kpca/toy.h"
#include <gtest/gtest.h>

#include "choir/kernel/gram.h"
#include "choir/learn/oneshot_kpca/factor_message.h"
#include "choir/linalg/eigen.h"

namespace choir::oneshot_kpca {
namespace {

using testing::party_samples;

const Kernel linear{.kind = KernelKind::linear};
const Kernel rbf{.kind = KernelKind::rbf, .gamma = 0.02};

Matrix centred(const Samples& samples) { return samples.colwise() - samples.rowwise().mean(); }

Matrix product_of(const KernelFactor& factor) {
  return factor.vectors * factor.values.asDiagonal() * factor.vectors.transpose();
}

TEST(KernelFactor, OfAllEigenpairsIsTheMatrix) {
  for (const Index features : {8, 60}) {  // by either side of the data
    const Samples samples = party_samples(features, 40, 1);
    const Matrix scatter = centred(samples).transpose() * centred(samples);
    const KernelFactor factor = kernel_factor(linear, samples, {.count = 60});
    EXPECT_LT((product_of(factor) - scatter).norm(), 1e-10 * scatter.norm());
    EXPECT_EQ(factor.dropped, 0);
    const Matrix kernel = gram<double>(rbf, samples, samples);
    EXPECT_LT((product_of(kernel_factor(rbf, samples, {.count = 60})) - kernel).norm(),
              1e-10 * kernel.norm());
  }
}

TEST(KernelFactor, HasTheLeadingEigenpairsAndSaysWhatItDropped) {
  for (const Index count : {40, 700}) {  // dense, and by products
    const Samples samples = party_samples(20, count, 1);
    const EigenPairs dense = eigen_symmetric<double>(gram<double>(rbf, samples, samples));
    const KernelFactor factor = kernel_factor(rbf, samples, {.count = 5});
    ASSERT_EQ(factor.values.size(), 5);
    EXPECT_LT((factor.values - dense.values.head(5)).norm(), 1e-6 * dense.values(0));
    EXPECT_NEAR(factor.dropped, dense.values(5), 1e-6 * dense.values(0));
  }
}

TEST(KernelFactor, AdaptsToTheEigenvalues) {
  for (const Index count : {50, 700}) {
    const Samples samples = party_samples(20, count, 1);
    const EigenPairs dense = eigen_symmetric<double>(gram<double>(rbf, samples, samples));
    const Index above = (dense.values.array() > 1e-3 * dense.values(0)).count();
    EXPECT_EQ(kernel_factor(rbf, samples, {.epsilon = 1e-3, .least = 1}).values.size(), above);
    EXPECT_EQ(kernel_factor(rbf, samples, {.epsilon = 0.9, .least = 7}).values.size(), 7);
  }
}

TEST(DistanceFactor, KeepsLengthsAndProductsWhateverTheRank) {
  const Samples samples = party_samples(12, 30, 1);
  for (const Index count : {4, 13}) {
    const DistanceFactor factor = distance_factor(samples, {.count = count});
    EXPECT_EQ(factor.coordinates.cols(), std::min<Index>(count - 1, 12));
    const Vector lengths = centred(samples).colwise().squaredNorm();
    EXPECT_LT((factor.coordinates.rowwise().squaredNorm() + factor.residuals - lengths).norm(),
              1e-10 * lengths.norm());
    EXPECT_LT((factor.mean_products - samples.transpose() * samples.rowwise().mean()).norm(), 1e-10);
    EXPECT_EQ(factor.entries.count, 12 * 30);
  }
  EXPECT_EQ(distance_factor(samples, {.count = 13}).residuals.maxCoeff(), 0);
}

TEST(DistanceFactor, SaysWhatItDropped) {
  const Samples samples = party_samples(12, 30, 1);
  const EigenPairs scatter = eigen_symmetric<double>(centred(samples).transpose() * centred(samples));
  EXPECT_NEAR(distance_factor(samples, {.count = 4}).dropped, scatter.values(3), 1e-9 * scatter.values(0));
  EXPECT_EQ(distance_factor(samples, {.count = 13}).dropped, 0);
}

TEST(Factors, HaveNothingOfConstantFeatures) {
  const Samples constant = Samples::Constant(5, 30, 1e8 / 3);
  EXPECT_EQ(kernel_factor(linear, constant, {.count = 3}).values.size(), 0);
  EXPECT_EQ(distance_factor(constant, {.count = 3}).coordinates.cols(), 0);
  EXPECT_EQ(distance_factor(constant, {.count = 3}).residuals.maxCoeff(), 0);
  const KernelFactor ones = kernel_factor(rbf, constant, {.count = 3});
  EXPECT_EQ(ones.values.size(), 1);
  EXPECT_LT((product_of(ones) - Matrix::Ones(30, 30)).norm(), 1e-9);
  const KernelFactor none = kernel_factor(linear, constant, {.count = 3});
  EXPECT_EQ(unpack_kernel_factor(pack(none, Kind::features), 30, 1, 1).vectors.rows(), 30);
}

TEST(KernelFactor, DoesNotSeeWhereTheFeaturesLie) {
  const Samples samples = party_samples(12, 30, 1);
  const Samples far = samples.array() + 1e8;
  for (const Kernel& kernel : {linear, rbf}) {
    const KernelFactor here = kernel_factor(kernel, samples, {.count = 6});
    const KernelFactor there = kernel_factor(kernel, far, {.count = 6});
    EXPECT_LT((here.values - there.values).norm(), 1e-6 * here.values(0));
  }
}

TEST(LeadingPart, IsTheFactorOfFewerVectors) {
  const Samples samples = party_samples(12, 30, 1);
  const KernelFactor product = leading_part(kernel_factor(rbf, samples, {.count = 10}), 0.6);
  const KernelFactor fewer = kernel_factor(rbf, samples, {.count = 6});
  EXPECT_EQ(product.values, fewer.values);
  EXPECT_NEAR(product.dropped, fewer.dropped, 1e-12);
  const DistanceFactor distances = leading_part(distance_factor(samples, {.count = 11}), 0.6);
  const DistanceFactor short_one = distance_factor(samples, {.count = 7});
  EXPECT_LT((distances.residuals - short_one.residuals).norm(), 1e-9 * distances.residuals.norm());
  EXPECT_NEAR(distances.dropped, short_one.dropped, 1e-9 * short_one.dropped);
  const DistanceFactor whole = distance_factor(samples, {.count = 13});
  EXPECT_EQ(leading_part(whole, 0.6).coordinates, whole.coordinates) << "it left nothing out";
}

TEST(FactorMessage, ArrivesAsItWasSent) {
  const Samples samples = party_samples(12, 30, 1);
  const KernelFactor kernel = kernel_factor(rbf, samples, {.count = 4});
  const KernelFactor kernel_again = unpack_kernel_factor(pack(kernel, Kind::features), 30, 1, 1);
  EXPECT_EQ(kernel_again.vectors, kernel.vectors);
  EXPECT_EQ(kernel_again.values, kernel.values);
  EXPECT_EQ(kernel_again.dropped, kernel.dropped);
  EXPECT_EQ(kernel_again.trace, kernel.trace);
  EXPECT_EQ(kernel.trace, 30);
  const DistanceFactor distance = distance_factor(samples, {.count = 4});
  const DistanceFactor distance_again = unpack_distance_factor(pack(distance, Kind::features), 30, 1);
  EXPECT_EQ(distance_again.coordinates, distance.coordinates);
  EXPECT_EQ(distance_again.residuals, distance.residuals);
  EXPECT_EQ(distance_again.mean_products, distance.mean_products);
  EXPECT_EQ(distance_again.entries.squares, distance.entries.squares);
}

TEST(FactorMessage, WhatNoFactorCouldBeIsRefused) {
  const Samples samples = party_samples(12, 30, 1);
  const KernelFactor good = kernel_factor(rbf, samples, {.count = 4});
  const auto refused = [](const KernelFactor& factor, Index count) {
    testing::expect_error(ErrorCategory::PeerLost, {"node 7"},
                          [&] { unpack_kernel_factor(pack(factor, Kind::features), count, 1, 7); });
  };
  refused(good, 31);
  KernelFactor bad = good;
  bad.values(2) = -1;
  refused(bad, 30);
  bad = good;
  bad.vectors(3, 1) = std::numeric_limits<double>::quiet_NaN();
  refused(bad, 30);
  bad = good;
  bad.trace = -1;
  refused(bad, 30);
  bad = good;
  bad.values.conservativeResize(2);
  refused(bad, 30);
  DistanceFactor distance = distance_factor(samples, {.count = 4});
  distance.residuals(0) = -1;
  testing::expect_error(ErrorCategory::PeerLost, {"node 7"},
                        [&] { unpack_distance_factor(pack(distance, Kind::features), 30, 7); });
}

}  // namespace
}  // namespace choir::oneshot_kpca
