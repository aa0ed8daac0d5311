#include "choir/learn/central/pca.h"

#include "learn/central/toy.h"
#include <Eigen/SVD>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/error.h"
#include "choir/learn/central/kernel_pca.h"

namespace choir {
namespace {

using testing_toys::difference_up_to_sign;
using testing_toys::falling_scales;

struct Shape {
  Index features;
  Index samples;
};
class CentralPcaSides : public ::testing::TestWithParam<Shape> {};
INSTANTIATE_TEST_SUITE_P(BothSides, CentralPcaSides,
                         ::testing::Values(Shape{8, 60}, Shape{60, 20}, Shape{12, 12}));

TEST_P(CentralPcaSides, IsTheSingularValueDecompositionOfTheCentredData) {
  const Samples x = falling_scales(GetParam().features, GetParam().samples);
  const Matrix centred = x.colwise() - x.rowwise().mean();
  const Eigen::JacobiSVD<Matrix> svd(centred, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const central_pca::Fit fit = fit_central_pca(x, {.n_components = {.count = 4}, .tol = 1e-12});
  const Vector squares = svd.singularValues().head(4).cwiseAbs2();
  EXPECT_TRUE(fit.converged);
  EXPECT_LE((fit.model.eigenvalues - squares).cwiseAbs().maxCoeff(), 1e-10 * squares(0));
  EXPECT_LE(difference_up_to_sign(fit.model.components, svd.matrixU().leftCols(4)), 1e-8);
  EXPECT_LE((fit.model.components.transpose() * fit.model.components - Matrix::Identity(4, 4)).norm(), 1e-10);
  EXPECT_LE((fit.model.transform(x) - fit.scores).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(CentralPca, AgreesWithKernelPcaOfALinearKernel) {
  const Samples x = falling_scales(8, 60);
  central_kpca::Options options;
  options.kernel.kind = KernelKind::linear;
  options.n_components.count = 3;
  options.tol = 1e-12;
  const central_kpca::Fit kernel = fit_central_kpca(x, options);
  const central_pca::Fit linear = fit_central_pca(x, {.n_components = {.count = 3}, .tol = 1e-12});
  EXPECT_LE(difference_up_to_sign(kernel.scores, linear.scores), 1e-8);
  EXPECT_LE((kernel.model.eigenvalues - linear.model.eigenvalues).norm(), 1e-9);
  EXPECT_NEAR(kernel.model.trace, linear.model.trace, 1e-9);
}

TEST(CentralPca, RefusesConstantDataAndTooManyComponents) {
  EXPECT_THROW(fit_central_pca(Samples::Ones(3, 20), {}), Error);
  EXPECT_THROW(fit_central_pca(falling_scales(3, 20), {.n_components = {.count = 4}}), Error);
  EXPECT_THROW(fit_central_pca(falling_scales(3, 1), {}), Error);
}

}  // namespace
}  // namespace choir
