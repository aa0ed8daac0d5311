#include "choir/linalg/eigen.h"

#include <limits>
#include <string>

#include "linalg/matrices.h"
#include "linalg/precisions.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/error.h"

namespace choir {
namespace {

using ::testing::HasSubstr;

template <class Scalar>
class Eigenpairs : public testing::PrecisionTest<Scalar> {
 protected:
  using testing::PrecisionTest<Scalar>::epsilon;
  static constexpr double tol = std::is_same_v<Scalar, float> ? 2e-6 : 1e-10;
  static constexpr auto methods = {EigenMethod::automatic, EigenMethod::dense, EigenMethod::lanczos,
                                   EigenMethod::block_krylov};

  // Every method finds the leading eigenvalues of the matrix, with multiplicity, and says how well.
  static void expect_top(const Matrix& matrix, Index count, const std::string& what) {
    const Vector truth = eigen_symmetric<double>(matrix).values;
    const double norm = truth.cwiseAbs().maxCoeff();
    const MatrixOf<Scalar> a = matrix.cast<Scalar>();
    for (const EigenMethod method : methods) {
      SCOPED_TRACE(fmt::format("{}, n = {}, count = {}, method {}", what, matrix.rows(), count,
                               static_cast<int>(method)));
      const auto top = top_eigenpairs<Scalar>(DenseOperatorOf<Scalar>(a),
                                              {.count = count, .tol = tol, .method = method, .seed = 3});
      ASSERT_EQ(top.values.size(), count);
      ASSERT_EQ(top.vectors.cols(), count);
      EXPECT_TRUE(top.converged);
      EXPECT_LE(top.residual, tol);
      EXPECT_LE((top.values.template cast<double>() - truth.head(count)).cwiseAbs().maxCoeff(), tol * norm);
      EXPECT_LT(testing::orthonormality_error(top.vectors), 100 * epsilon);
      const Matrix vectors = top.vectors.template cast<double>();
      const Matrix remainder = matrix * vectors - vectors * top.values.template cast<double>().asDiagonal();
      EXPECT_LE(remainder.colwise().norm().maxCoeff(), 2 * tol * norm);
      EXPECT_LE((matrix * vectors - top.images.template cast<double>()).colwise().norm().maxCoeff(),
                1000 * epsilon * norm);
      for (Index d = 0; d < count; ++d)
        EXPECT_EQ(top.vectors.col(d).maxCoeff(), top.vectors.col(d).cwiseAbs().maxCoeff());
      EXPECT_GE(top.products, std::min(count, matrix.rows()));
    }
  }
};
TYPED_TEST_SUITE(Eigenpairs, testing::Scalars);

TYPED_TEST(Eigenpairs, AllPairsOfKnownSpectra) {
  for (const Index n : {1, 2, 17, 120}) {
    Vector spectrum = testing::power_law(n, 0.8);
    if (n > 2) spectrum[n - 1] = -2;
    MatrixOf<TypeParam> a = testing::with_spectrum(spectrum, 1).cast<TypeParam>();
    const MatrixOf<TypeParam> full = a;
    a.template triangularView<Eigen::StrictlyUpper>().setConstant(
        std::numeric_limits<TypeParam>::quiet_NaN());
    const auto all = eigen_symmetric(a);
    EXPECT_LT((all.values.template cast<double>() - testing::descending(spectrum)).cwiseAbs().maxCoeff(),
              50 * this->epsilon);
    EXPECT_LT((full * all.vectors - all.vectors * all.values.asDiagonal()).norm(), 200 * this->epsilon);
    EXPECT_LT(testing::orthonormality_error(all.vectors), 100 * this->epsilon);
  }
  EXPECT_EQ(eigen_symmetric(MatrixOf<TypeParam>(0, 0)).values.size(), 0);
}

TYPED_TEST(Eigenpairs, AllPairsRefusesWhatHasNone) {
  try {
    eigen_symmetric<TypeParam>(MatrixOf<TypeParam>::Ones(2, 3));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.category(), ErrorCategory::InvalidArgument);
    EXPECT_THAT(error.what(), HasSubstr("2 x 3 matrix has no eigenpairs; it must be square"));
  }
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    MatrixOf<TypeParam> a = MatrixOf<TypeParam>::Identity(3, 3);
    a(2, 1) = static_cast<TypeParam>(bad);
    try {
      eigen_symmetric(a);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.category(), ErrorCategory::Numerical);
      EXPECT_THAT(error.what(), HasSubstr("NaN"));
    }
  }
}

TYPED_TEST(Eigenpairs, TopOfDecayingSpectra) {
  this->expect_top(testing::with_spectrum(testing::power_law(400, 1.1), 2), 10, "power law");
  this->expect_top(testing::with_spectrum(testing::power_law(150, 0.3), 3), 5, "slow decay");
}

TYPED_TEST(Eigenpairs, TopOfTinyMatricesAndOfAllPairs) {
  this->expect_top(Matrix::Constant(1, 1, -3), 1, "one number");
  for (const Index n : {2, 3, 8})
    for (Index count = 1; count <= n; ++count)
      this->expect_top(testing::with_spectrum(testing::power_law(n, 1), 4), count, "tiny");
  this->expect_top(testing::with_spectrum(testing::power_law(60, 0.5), 5), 60, "all of them");
  this->expect_top(testing::with_spectrum(testing::power_law(60, 0.5), 5), 59, "all but one");
}

TYPED_TEST(Eigenpairs, TopIsAlgebraicallyLargest) {
  Vector spectrum = testing::power_law(200, 1);
  spectrum.tail(20).setLinSpaced(-5, -4);
  this->expect_top(testing::with_spectrum(spectrum, 6), 6, "large negative eigenvalues");
  this->expect_top(-testing::with_spectrum(testing::power_law(200, 1), 7), 4, "negative definite");
}

TYPED_TEST(Eigenpairs, TopOfRepeatedAndClusteredEigenvalues) {
  this->expect_top(Matrix::Identity(150, 150), 7, "identity");
  this->expect_top(-2 * Matrix::Identity(150, 150), 7, "minus twice the identity");
  Vector repeated = testing::power_law(200, 1) / 2;
  repeated.head(6).setOnes();
  for (const Index count : {1, 3, 6, 9})
    this->expect_top(testing::with_spectrum(repeated, 8), count, "multiplicity 6");
  Vector later = repeated;
  later.segment(3, 6).setConstant(0.8);
  this->expect_top(testing::with_spectrum(later, 9), 12, "3 ones, then 6 of 0.8");
  Vector clustered = repeated;
  for (Index k = 0; k < 6; ++k) clustered[k] = 1 - 1e-7 * static_cast<double>(k);
  this->expect_top(testing::with_spectrum(clustered, 10), 8, "cluster");
  Vector shadowed = repeated;
  shadowed.head(3) << 1, 1, 0.9995;  // the second 1 is hard to tell from 0.9995
  this->expect_top(testing::with_spectrum(shadowed, 11), 2, "copy beside a close neighbour");
}

TYPED_TEST(Eigenpairs, TopOfRankDeficientMatrices) {
  this->expect_top(Matrix::Zero(140, 140), 5, "zero");
  Vector spectrum = Vector::Zero(150);
  spectrum.head(3) << 3, 2, 1;
  this->expect_top(testing::with_spectrum(spectrum, 12), 10, "rank 3");
  spectrum.head(3) << -3, -2, -1;
  this->expect_top(testing::with_spectrum(spectrum, 13), 4, "rank 3, negative");
}

TYPED_TEST(Eigenpairs, TopRefusesACountOutOfRange) {
  const MatrixOf<TypeParam> a = MatrixOf<TypeParam>::Identity(4, 4);
  for (const Index count : {-1, 0, 5}) {
    try {
      top_eigenpairs<TypeParam>(DenseOperatorOf<TypeParam>(a), {.count = count});
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.category(), ErrorCategory::InvalidArgument);
      EXPECT_THAT(error.what(), HasSubstr("request 1 to 4"));
    }
  }
}

TYPED_TEST(Eigenpairs, TopRefusesNaN) {
  MatrixOf<TypeParam> a = MatrixOf<TypeParam>::Identity(150, 150);
  a(40, 3) = a(3, 40) = std::numeric_limits<TypeParam>::quiet_NaN();
  for (const EigenMethod method : this->methods) {
    try {
      top_eigenpairs<TypeParam>(DenseOperatorOf<TypeParam>(a), {.count = 2, .method = method});
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.category(), ErrorCategory::Numerical);
      EXPECT_THAT(error.what(), HasSubstr("NaN"));
    }
  }
}

TYPED_TEST(Eigenpairs, TopIsTheSameForTheSameSeedAndTheSameSpaceForAnother) {
  const MatrixOf<TypeParam> a = testing::with_spectrum(testing::power_law(300, 1), 14).cast<TypeParam>();
  const DenseOperatorOf<TypeParam> op(a);
  for (const EigenMethod method : {EigenMethod::lanczos, EigenMethod::block_krylov}) {
    const TopEigenOptions options{.count = 4, .tol = this->tol, .method = method, .seed = 9};
    const auto first = top_eigenpairs<TypeParam>(op, options),
               second = top_eigenpairs<TypeParam>(op, options);
    EXPECT_EQ(first.values, second.values);
    EXPECT_EQ(first.vectors, second.vectors);
    TopEigenOptions other = options;
    other.seed = 10;
    const auto third = top_eigenpairs<TypeParam>(op, other);
    EXPECT_NE(first.vectors, third.vectors);
    EXPECT_LT((first.vectors - third.vectors).cwiseAbs().maxCoeff(), 100 * this->tol);
  }
}

TYPED_TEST(Eigenpairs, TopReportsProgressAndStopsOnRequest) {
  const MatrixOf<TypeParam> a = testing::with_spectrum(testing::power_law(200, 1), 15).cast<TypeParam>();
  for (const EigenMethod method : this->methods) {
    Index reports = 0;
    std::stop_source stop;
    TopEigenOptions options{.count = 3, .method = method};
    options.watch.progress = [&](const Progress& progress) {
      EXPECT_EQ(progress.stage, "eigenpairs");
      ++reports;
    };
    options.watch.stop = stop.get_token();
    top_eigenpairs<TypeParam>(DenseOperatorOf<TypeParam>(a), options);
    EXPECT_GE(reports, 1);
    stop.request_stop();
    EXPECT_THROW(top_eigenpairs<TypeParam>(DenseOperatorOf<TypeParam>(a), options), Error);
  }
}

}  // namespace
}  // namespace choir
