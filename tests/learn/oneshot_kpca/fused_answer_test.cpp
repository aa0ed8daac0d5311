#include "choir/learn/oneshot_kpca/fused_answer.h"

#include "graph/expect_error.h"
#include "learn/oneshot_kpca/party_factors.h"
#include <gtest/gtest.h>

#include "choir/kernel/gram.h"
#include "choir/learn/central/kernel_pca.h"
#include "choir/linalg/eigen.h"
#include "choir/metrics/subspace.h"

namespace choir::oneshot_kpca {
namespace {

using testing::distance_factors;
using testing::expect_error;
using testing::kernel_factors;
using testing::party_samples;

TEST(FusedAnswer, ItsComponentsAreTheCentralOnesIfNothingIsDropped) {
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
TEST(FusedAnswer, ItsTraceIsThatOfAllFeaturesWhateverIsDropped) {
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
TEST(FusedAnswer, TheBoundHolds) {
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

// Weak components beside strong ones: features of very different scale, far from zero.
TEST(FusedAnswer, ComponentsAMillionthOfTheFirstAreRight) {
  Samples samples = party_samples(10, 90, 1, 10);
  for (Index m = 0; m < 10; ++m) samples.row(m) *= std::pow(10.0, 0.4 * static_cast<double>(m));
  samples.array() += 1e6;
  const Kernel linear{.kind = KernelKind::linear};
  const Matrix centred = samples.colwise() - samples.rowwise().mean();
  const EigenPairs truth = eigen_symmetric<double>(centred.transpose() * centred);
  for (const bool products : {true, false}) {
    const FusedKernel fused = products
                                  ? fuse_products(linear, kernel_factors(linear, samples, 2, {.count = 10}))
                                  : fuse_distances(linear, distance_factors(samples, 2, {.count = 11}));
    const FusedAnswer answer = leading_components(fused, {.count = 8}, {});
    for (Index d = 0; d < 8; ++d) {
      EXPECT_NEAR(answer.eigenvalues(d) / truth.values(d), 1, 1e-4) << d;
      EXPECT_GT(std::abs(answer.vectors.col(d).dot(truth.vectors.col(d))), 0.9999) << d;
    }
    EXPECT_NEAR(answer.trace, truth.values.sum(), 1e-9 * answer.trace);
  }
}

TEST(FusedAnswer, OfAnIndefiniteKernelIsItsPositivePart) {
  const Samples samples = party_samples(12, 60, 1) / 3;
  const Kernel sigmoid{.kind = KernelKind::sigmoid, .gamma = 0.2, .coef0 = -1};
  Matrix dense = gram<double>(sigmoid, samples, samples);
  centre_square(dense);
  const EigenPairs truth = eigen_symmetric<double>(dense);
  ASSERT_LT(truth.values(59), -0.01 * truth.values(0));
  const FusedKernel fused = fuse_distances(sigmoid, distance_factors(samples, 3, {.count = 13}));
  const FusedAnswer answer = leading_components(fused, {.count = 3}, {});
  EXPECT_LT((answer.eigenvalues - truth.values.head(3)).norm(), 1e-6 * truth.values(0));
  EXPECT_NEAR(*answer.most_negative, truth.values(59), 1e-3 * truth.values(0));
  expect_error(ErrorCategory::InvalidArgument, {"positive definite"},
               [&] { leading_components(fused, {.fraction = 0.5}, {}); });
  const Kernel rbf{.kind = KernelKind::rbf, .gamma = 0.01};
  const FusedKernel definite = fuse_distances(rbf, distance_factors(samples, 3, {.count = 13}));
  EXPECT_FALSE(leading_components(definite, {.count = 3}, {}).most_negative);
}

TEST(FusedAnswer, SaysWhyThereAreTooFewComponents) {
  const Samples samples = party_samples(12, 40, 1, 12);
  const Kernel linear{.kind = KernelKind::linear};
  const FusedKernel few = fuse_products(linear, kernel_factors(linear, samples, 2, {.count = 2}));
  expect_error(ErrorCategory::InvalidArgument,
               {"n_components is 6", "has 4 components", "--local-components"},
               [&] { leading_components(few, {.count = 6}, {}); });
  expect_error(ErrorCategory::InvalidArgument, {"0.99", "4 components", "--local-components"},
               [&] { leading_components(few, {.fraction = 0.99}, {}); });
  const FusedKernel all = fuse_products(linear, kernel_factors(linear, samples, 2, {.count = 12}));
  expect_error(ErrorCategory::InvalidArgument, {"n_components is 20", "rank 12", "ask for 12 or fewer"},
               [&] { leading_components(all, {.count = 20}, {}); });
  const Samples constant = Samples::Constant(6, 40, 1e8 / 3);
  const FusedKernel none = fuse_products(linear, kernel_factors(linear, constant, 2, {.count = 2}));
  expect_error(ErrorCategory::InvalidArgument, {"no feature of any party varies"},
               [&] { leading_components(none, {.count = 1}, {}); });
}

}  // namespace
}  // namespace choir::oneshot_kpca
