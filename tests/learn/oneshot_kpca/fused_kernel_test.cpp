#include "choir/learn/oneshot_kpca/fused_kernel.h"

#include "learn/oneshot_kpca/party_factors.h"
#include <gtest/gtest.h>

#include "choir/base/error.h"
#include "choir/linalg/eigen.h"

namespace choir::oneshot_kpca {
namespace {

using testing::distance_factors;
using testing::kernel_factors;
using testing::party_samples;

// All eigenpairs sent: nothing is lost, for tiles of one and of several pieces.
TEST(FusedKernel, OfWholeFactorsIsTheKernelMatrix) {
  for (const Index count : {30, 400}) {
    const Samples samples = party_samples(21, count, 1);
    const FactorSize all{.count = count};
    const Kernel rbf{.kind = KernelKind::rbf, .gamma = 0.01};
    const Matrix expected = gram<double>(rbf, samples, samples);
    const FusedKernel products = fuse_products(rbf, kernel_factors(rbf, samples, 4, all), {.threads = 2});
    EXPECT_LT((products.matrix.dense() - expected).norm(), 1e-6 * expected.norm());
    EXPECT_LT((products.matrix.row_sums() - expected.rowwise().sum()).norm(), 1e-6 * expected.norm());
    const Kernel linear{.kind = KernelKind::linear};
    const Matrix centred = samples.colwise() - samples.rowwise().mean();
    const FusedKernel sums = fuse_products(linear, kernel_factors(linear, samples, 4, all));
    EXPECT_TRUE(sums.centred);
    EXPECT_LT((sums.matrix.dense() - centred.transpose() * centred).norm(), 1e-9 * centred.squaredNorm());
  }
}

TEST(FusedKernel, OfWholeDistancesIsAnyKernelOfDistanceOrInnerProduct) {
  const Samples samples = party_samples(21, 300, 1) / 5;
  const std::vector<DistanceFactor> factors = distance_factors(samples, 4, {.count = 40});
  for (const KernelKind kind :
       {KernelKind::rbf, KernelKind::linear, KernelKind::poly, KernelKind::sigmoid, KernelKind::cosine}) {
    for (const bool normalized : {false, true}) {
      if (normalized && kind == KernelKind::sigmoid) continue;  // k(x,x) may be negative
      const Kernel kernel{.kind = kind, .gamma = 0.02, .degree = 2, .normalized = normalized};
      // A linear kernel is about the parties' means, which centring would take away.
      const Samples shown =
          centred_by_parties(kernel) ? Samples(samples.colwise() - samples.rowwise().mean()) : samples;
      const Matrix expected = gram<double>(kernel, shown, shown);
      const Matrix fused = fuse_distances(kernel, factors).matrix.dense();
      EXPECT_LT((fused - expected).norm(), 1e-9 * expected.norm()) << to_string(kind);
    }
  }
}

TEST(FusedKernel, IsPositiveSemidefiniteAndHasAUnitDiagonalByDistances) {
  const Samples samples = party_samples(40, 120, 1, 20);
  const Kernel rbf{.kind = KernelKind::rbf, .gamma = 0.005};
  const Matrix products = fuse_products(rbf, kernel_factors(rbf, samples, 5, {.count = 6})).matrix.dense();
  const Matrix distances = fuse_distances(rbf, distance_factors(samples, 5, {.count = 4})).matrix.dense();
  for (const Matrix& fused : {products, distances}) {
    const Vector values = eigen_symmetric<double>(fused).values;
    EXPECT_GT(values(values.size() - 1), -1e-12 * values(0));
    EXPECT_EQ(fused, fused.transpose());
  }
  EXPECT_EQ(distances.diagonal(), Vector::Ones(120));
}

TEST(FusedKernel, GammaIsChosenFromTheFactorsAlone) {
  const Samples samples = party_samples(21, 300, 1);
  const auto factors = distance_factors(samples, 4, {.count = 40});
  EXPECT_EQ(gamma_of_distances(parse_gamma("0.3"), factors, 0), 0.3);
  EXPECT_NEAR(gamma_of_distances(parse_gamma("scale"), factors, 0), gamma_scale(samples),
              1e-9 * gamma_scale(samples));
  EXPECT_NEAR(gamma_of_distances(parse_gamma("median"), factors, 0), gamma_median(samples, 0),
              0.03 * gamma_median(samples, 0));
}

TEST(FusedKernel, TheMedianNeedsDistancesAloneAndSomeThatAreNotZero) {
  const Samples samples = party_samples(21, 300, 1);
  auto factors = distance_factors(samples, 4, {.count = 40});
  for (DistanceFactor& factor : factors) factor.entries = {};  // a merged factor has no moments
  EXPECT_NEAR(gamma_of_distances(parse_gamma("median"), factors, 0), gamma_median(samples, 0),
              0.03 * gamma_median(samples, 0));
  Samples same = samples;
  same.leftCols(250).colwise() = Vector(same.col(0));
  EXPECT_THROW(gamma_of_distances(parse_gamma("median"), distance_factors(same, 4, {.count = 40}), 0), Error);
}

}  // namespace
}  // namespace choir::oneshot_kpca
