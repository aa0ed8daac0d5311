#include "choir/kernel/centring.h"

#include "kernel/kernels.h"
#include "kernel/support.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/kernel/gram.h"

namespace choir {
namespace {

Matrix centring_matrix(Index size) {
  return Matrix::Identity(size, size) - Matrix::Constant(size, size, 1.0 / static_cast<double>(size));
}

TEST(Centring, OfASquareIsTheExplicitProduct) {
  for (const Kernel& kernel : every_kernel()) {
    const Samples x = normal_samples(5, 60, 50);
    Matrix gram = plain_gram(kernel, x, x);
    const Matrix truth = centring_matrix(60) * gram * centring_matrix(60);
    const Vector means = gram.rowwise().mean();
    const Centring centring = centre_square(gram);
    EXPECT_LE(largest_difference(gram, truth), 1e-11) << describe(kernel);
    EXPECT_LE(largest_difference(centring.means(), means), 1e-12);
    EXPECT_NEAR(centring.grand_mean(), means.mean(), 1e-13);
    EXPECT_LE(gram.rowwise().sum().cwiseAbs().maxCoeff(), 1e-10);
    EXPECT_LE(gram.colwise().sum().cwiseAbs().maxCoeff(), 1e-10);
  }
}

TEST(Centring, OfABlockTakesTheMeanOfEachSide) {
  Matrix block = plain_gram({.gamma = 0.1}, normal_samples(5, 30, 51), normal_samples(5, 47, 52));
  const Matrix truth = centring_matrix(30) * block * centring_matrix(47);
  centre_block(block);
  EXPECT_LE(largest_difference(block, truth), 1e-13);
  EXPECT_LE(block.rowwise().sum().cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LE(block.colwise().sum().cwiseAbs().maxCoeff(), 1e-12);
}

// phi_c(x) = phi(x) - (1/N) sum_n phi(x_n), written out: the joint kernel matrix between two linear maps.
TEST(Centring, OfNewPointsIsThatOfTheJointMatrix) {
  for (const Kernel& kernel : every_kernel()) {
    const Index training = 40, fresh = 15, all = training + fresh;
    const Samples x = normal_samples(5, all, 53);
    const Matrix joint = plain_gram(kernel, x, x);
    Matrix remove_mean = Matrix::Identity(all, all);
    remove_mean.leftCols(training).array() -= 1.0 / static_cast<double>(training);
    const Matrix truth = remove_mean * joint * remove_mean.transpose();

    const Matrix block = joint.bottomLeftCorner(fresh, training);
    const Centring centring =
        Centring::from_row_sums(joint.topLeftCorner(training, training).rowwise().sum());
    Matrix centred = block;
    centring.centre_rows(centred);
    EXPECT_LE(largest_difference(centred, truth.bottomLeftCorner(fresh, training)), 1e-11)
        << describe(kernel);

    const Vector diagonal = centring.centred_diagonal(joint.diagonal().tail(fresh), block);
    EXPECT_LE(largest_difference(diagonal, truth.diagonal().tail(fresh)), 1e-11) << describe(kernel);
    EXPECT_NEAR(centring.centred_trace(joint.diagonal().head(training)),
                truth.diagonal().head(training).sum(), 1e-10);
  }
}

TEST(Centring, TheRowSumsOfATriangleServe) {
  const Samples x = normal_samples(5, 300, 54);
  const Kernel kernel{.gamma = 0.1};
  Matrix gram = plain_gram(kernel, x, x);
  const Centring centring = Centring::from_row_sums(TriangularGram<double>::compute(kernel, x).row_sums());
  const Centring truth = centre_square(gram);
  EXPECT_LE(largest_difference(centring.means(), truth.means()), 1e-13);
  EXPECT_NEAR(centring.grand_mean(), truth.grand_mean(), 1e-14);
}

template <class Scalar>
void expect_operator_centres(double tolerance) {
  const MatrixOf<Scalar> x = normal_samples(5, 300, 55).cast<Scalar>();
  const auto lower = TriangularGram<Scalar>::compute({.gamma = 0.1}, x);
  const CentredOperator<Scalar> centred(lower);
  const MatrixOf<Scalar> block = normal_samples(300, 7, 56).cast<Scalar>();
  MatrixOf<Scalar> y(300, 7);
  centred.apply(block, y);
  const Matrix truth = centring_matrix(300) * lower.dense().template cast<double>() * centring_matrix(300) *
                       block.template cast<double>();
  EXPECT_EQ(centred.rows(), 300);
  EXPECT_LE(largest_difference(y.template cast<double>(), truth), tolerance * truth.cwiseAbs().maxCoeff());
  EXPECT_LE(y.template cast<double>().colwise().sum().cwiseAbs().maxCoeff(),
            300 * tolerance * truth.cwiseAbs().maxCoeff());
}

TEST(CentredOperator, IsTheExplicitProduct) {
  expect_operator_centres<double>(1e-13);
  expect_operator_centres<float>(1e-5);
}

TEST(Centring, WrongSizesAreRefused) {
  const Centring centring(Vector::Zero(4), 0);
  Matrix block = Matrix::Zero(2, 5);
  EXPECT_THAT(message_of([&] { centring.centre_rows(block); }), HasSubstr("5 columns"));
  EXPECT_THAT(message_of([&] { centring.centred_diagonal(Vector::Zero(3), Matrix::Zero(2, 4)); }),
              HasSubstr("2 x 4"));
  EXPECT_THAT(message_of([&] { centre_square(block); }), HasSubstr("2 x 5"));
}

TEST(Centring, OfNothingIsNothing) {
  Matrix none(0, 0), block(3, 0);
  EXPECT_EQ(centre_square(none).means().size(), 0);
  EXPECT_NO_THROW(centre_block(block));
  EXPECT_NO_THROW(Centring().centre_rows(block));
}

}  // namespace
}  // namespace choir
