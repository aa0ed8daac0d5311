#include "choir/learn/oneshot_kpca/fused_kernel.h"

#include <cmath>

#include "learn/oneshot_kpca/toy.h"
#include <gtest/gtest.h>

#include "choir/learn/central/kernel_pca.h"
#include "choir/linalg/eigen.h"
#include "choir/metrics/subspace.h"

namespace choir::oneshot_kpca {
namespace {

using testing::parties_of;
using testing::party_samples;

std::vector<KernelFactor> kernel_factors(const Kernel& kernel, const Samples& samples, Index parties,
                                         const FactorSize& size) {
  std::vector<KernelFactor> factors;
  for (const Samples& part : parties_of(samples, parties)) {
    factors.push_back(kernel_factor(kernel, part, size));
  }
  return factors;
}

std::vector<DistanceFactor> distance_factors(const Samples& samples, Index parties, const FactorSize& size) {
  std::vector<DistanceFactor> factors;
  for (const Samples& part : parties_of(samples, parties)) factors.push_back(distance_factor(part, size));
  return factors;
}

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
      const Matrix expected = gram<double>(kernel, samples, samples);
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

TEST(FusedKernel, ItsComponentsAreTheCentralOnesIfNothingIsDropped) {
  const Samples samples = party_samples(21, 200, 1);
  const Kernel rbf{.kind = KernelKind::rbf, .gamma = 0.01};
  central_kpca::Options central;
  central.kernel = rbf;
  central.n_components.count = 3;
  const central_kpca::Fit truth = fit_central_kpca(samples, central);
  const auto factors = kernel_factors(rbf, samples, 3, {.count = 200});
  const FusedAnswer answer = leading_components(fuse_products(rbf, factors), {.count = 3}, {});
  EXPECT_LT(subspace_error(answer.vectors, truth.scores), 1e-8);
  EXPECT_LT((answer.eigenvalues - truth.model.eigenvalues).norm(), 1e-6 * answer.eigenvalues(0));
  EXPECT_NEAR(answer.trace, truth.model.trace, 1e-6 * answer.trace);
  EXPECT_EQ(sin_theta_bound(rbf, factors, answer), 0);
}

// Shares of variance are of all of it, not of what the parties have sent.
TEST(FusedKernel, ItsTraceIsThatOfAllFeaturesWhateverIsDropped) {
  const Samples samples = party_samples(40, 120, 1, 20);
  for (const Kernel& kernel :
       {Kernel{.kind = KernelKind::rbf, .gamma = 0.005}, Kernel{.kind = KernelKind::linear}}) {
    central_kpca::Options central;
    central.kernel = kernel;
    central.n_components.count = 2;
    const double truth = fit_central_kpca(samples, central).model.trace;
    const FusedKernel few = fuse_products(kernel, kernel_factors(kernel, samples, 5, {.count = 3}));
    EXPECT_LT(few.matrix.diagonal().sum(), 0.95 * few.trace) << "much was dropped";
    const FusedAnswer answer = leading_components(few, {.count = 2}, {});
    EXPECT_NEAR(answer.trace, truth, 0.01 * truth) << to_string(kernel.kind);
  }
}

// Theorem 1 holds with the exact gap; here the fused matrix's is close to it.
TEST(FusedKernel, TheBoundHolds) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Samples samples = party_samples(30, 80, seed);
    const Kernel linear{.kind = KernelKind::linear};
    const auto factors = kernel_factors(linear, samples, 3, {.count = 6});
    const FusedAnswer answer = leading_components(fuse_products(linear, factors), {.count = 4}, {});
    const Matrix centred = samples.colwise() - samples.rowwise().mean();
    const EigenPairs truth = eigen_symmetric<double>(centred.transpose() * centred);
    const double error = sin_theta(answer.vectors, truth.vectors.leftCols(4)).frobenius;
    EXPECT_LE(error, sin_theta_bound(linear, factors, answer));
  }
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

}  // namespace
}  // namespace choir::oneshot_kpca
