#include "choir/learn/central/kernel_pca.h"

#include <cmath>
#include <vector>

#include "learn/central/toy.h"
#include <Eigen/Eigenvalues>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/error.h"

namespace choir {
namespace {

using testing_toys::difference_up_to_sign;
using testing_toys::falling_scales;

// Kernel PCA as a textbook has it: element by element, square matrices, a dense solver.
struct Textbook {
  Vector eigenvalues;  // descending
  Matrix scores;       // N x D
  double trace;

  Textbook(const Samples& x, double gamma, Index count) {
    const Index n = x.cols();
    Matrix k(n, n);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) k(i, j) = std::exp(-gamma * (x.col(i) - x.col(j)).squaredNorm());
    }
    const Matrix h = Matrix::Identity(n, n) - Matrix::Constant(n, n, 1.0 / static_cast<double>(n));
    const Matrix centred = h * k * h;
    trace = centred.trace();
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(centred);
    eigenvalues = solver.eigenvalues().reverse().head(count);
    scores = solver.eigenvectors().rowwise().reverse().leftCols(count) * eigenvalues.cwiseSqrt().asDiagonal();
  }
};

central_kpca::Options options(Index count = 5) {
  central_kpca::Options result;
  result.kernel = {.kind = KernelKind::rbf, .gamma = 0.05};
  result.n_components.count = count;
  result.tol = 1e-12;
  return result;
}

template <class Call>
Error refusal(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  return Error(ErrorCategory::Internal, "nothing was refused");
}

TEST(CentralKpca, IsTheTextbooksKernelPca) {
  const Samples x = falling_scales(6, 120);
  const Textbook truth(x, 0.05, 5);
  const central_kpca::Fit fit = fit_central_kpca(x, options());
  EXPECT_TRUE(fit.converged);
  EXPECT_LE((fit.model.eigenvalues - truth.eigenvalues).cwiseAbs().maxCoeff(), 1e-10 * truth.eigenvalues(0));
  EXPECT_LE(difference_up_to_sign(fit.scores, truth.scores), 1e-9);
  EXPECT_NEAR(fit.model.trace, truth.trace, 1e-10 * truth.trace);
}

TEST(CentralKpca, FindsMoreComponentsThanTheDataHaveFeatures) {
  const Samples x = falling_scales(2, 600);
  const Textbook truth(x, 0.05, 8);
  const central_kpca::Fit fit = fit_central_kpca(x, options(8));
  EXPECT_TRUE(fit.converged);
  EXPECT_LE((fit.model.eigenvalues - truth.eigenvalues).cwiseAbs().maxCoeff(), 1e-9 * truth.eigenvalues(0));
}

TEST(CentralKpca, TransformOfTheTrainingDataIsTheTrainingScores) {
  for (const double tol : {1e-12, 1e-3}) {
    central_kpca::Options loose = options();
    loose.tol = tol;
    const Samples x = falling_scales(6, 700);
    const central_kpca::Fit fit = fit_central_kpca(x, loose);
    EXPECT_LE((fit.model.transform(x) - fit.scores).cwiseAbs().maxCoeff(), 1e-10) << "tol " << tol;
  }
}

TEST(CentralKpca, NewPointsAreCentredByTheTrainingMean) {
  const Samples x = falling_scales(4, 80);
  const Samples fresh = falling_scales(4, 10, 2);
  const central_kpca::Fit fit = fit_central_kpca(x, options(3));
  // <phi(x) - mu, w> from the definition: w = sum_n a_n (phi(x_n) - mu).
  const Matrix a = fit.scores * fit.model.eigenvalues.cwiseInverse().asDiagonal();
  const auto k = [](const auto& u, const auto& v) { return std::exp(-0.05 * (u - v).squaredNorm()); };
  const auto mean_with = [&](const auto& u) {
    double sum = 0;
    for (Index n = 0; n < x.cols(); ++n) sum += k(u, x.col(n));
    return sum / static_cast<double>(x.cols());
  };
  double grand = 0;
  for (Index n = 0; n < x.cols(); ++n) grand += mean_with(x.col(n)) / static_cast<double>(x.cols());
  const Matrix scores = fit.model.transform(fresh);
  for (Index i = 0; i < fresh.cols(); ++i) {
    Vector expected = Vector::Zero(3);
    for (Index n = 0; n < x.cols(); ++n) {
      const double centred =
          k(fresh.col(i), x.col(n)) - mean_with(fresh.col(i)) - mean_with(x.col(n)) + grand;
      expected += centred * a.row(n).transpose();
    }
    EXPECT_LE((scores.row(i).transpose() - expected).norm(), 1e-10);
  }
}

TEST(CentralKpca, AMatrixThatIsRecomputedGivesTheSameAnswer) {
  const Samples x = falling_scales(6, 700);
  central_kpca::Options recomputed = options();
  recomputed.gram = GramStorage::recomputed;
  const central_kpca::Fit stored = fit_central_kpca(x, options());
  const central_kpca::Fit fresh = fit_central_kpca(x, recomputed);
  EXPECT_LE((stored.model.eigenvalues - fresh.model.eigenvalues).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LE(difference_up_to_sign(stored.scores, fresh.scores), 1e-6);
  EXPECT_THAT(fresh.note, ::testing::HasSubstr("landmarks"));
  EXPECT_TRUE(stored.note.empty());
}

TEST(CentralKpca, AMatrixThatDoesNotFitIsNotStored) {
  const Samples x = falling_scales(6, 300);
  central_kpca::Options small = options();
  small.memory_limit = 100000;
  EXPECT_THAT(fit_central_kpca(x, small).note, ::testing::HasSubstr("recomputed"));
  small.gram = GramStorage::stored;
  const Error error = refusal([&] { fit_central_kpca(x, small); });
  EXPECT_EQ(error.category(), ErrorCategory::OutOfMemory);
  EXPECT_THAT(error.what(), ::testing::AllOf(::testing::HasSubstr("KiB"), ::testing::HasSubstr("landmarks")));
}

TEST(CentralKpca, SinglePrecisionKeepsFiveDigitsOfTheEigenvalues) {
  const Samples x = falling_scales(6, 700);
  central_kpca::Options single = options();
  single.precision = Precision::float32;
  const Vector truth = fit_central_kpca(x, options()).model.eigenvalues;
  const central_kpca::Fit fit = fit_central_kpca(x, single);
  EXPECT_TRUE(fit.converged);
  EXPECT_LE(((fit.model.eigenvalues - truth).array() / truth.array()).abs().maxCoeff(), 1e-5);
}

TEST(CentralKpca, TheNumberOfThreadsChangesNoBit) {
  const Samples x = falling_scales(6, 900);
  central_kpca::Options threaded = options();
  const central_kpca::Fit one = fit_central_kpca(x, threaded, {.threads = 1});
  for (const int threads : {2, 5}) {
    const central_kpca::Fit many = fit_central_kpca(x, threaded, {.threads = threads});
    EXPECT_TRUE(many.scores == one.scores) << threads;
    EXPECT_TRUE(many.model.coefficients == one.model.coefficients) << threads;
  }
}

TEST(CentralKpca, WithoutCentringTheFirstComponentIsTheMean) {
  central_kpca::Options plain = options(2);
  plain.centre = false;
  const Samples x = falling_scales(4, 100);
  const central_kpca::Fit fit = fit_central_kpca(x, plain);
  EXPECT_DOUBLE_EQ(fit.model.trace, 100);  // k(x, x) = 1
  EXPECT_LE((fit.model.transform(x) - fit.scores).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(CentralKpca, AShareOfVarianceDecidesTheNumberOfComponents) {
  central_kpca::Options share = options();
  share.n_components = {.count = 0, .fraction = 0.6, .max_count = 50};
  const central_kpca::Fit fit = fit_central_kpca(falling_scales(6, 200), share);
  const Vector ratio = fit.model.explained_variance_ratio();
  EXPECT_GE(ratio.sum(), 0.6);
  EXPECT_LT(ratio.sum() - ratio(ratio.size() - 1), 0.6);
}

TEST(CentralKpca, RefusesWhatCannotBeDone) {
  const Samples x = falling_scales(3, 20);
  EXPECT_THAT(refusal([&] { fit_central_kpca(x, options(20)); }).what(), ::testing::HasSubstr("at most 19"));
  EXPECT_THAT(refusal([&] { fit_central_kpca(Samples::Ones(3, 20), options()); }).what(),
              ::testing::HasSubstr("no variance"));
  EXPECT_THAT(refusal([&] { fit_central_kpca(x.leftCols(1), options(1)); }).what(),
              ::testing::HasSubstr("2 samples"));
  central_kpca::Options bad = options();
  bad.kernel.gamma = -1;
  EXPECT_THAT(refusal([&] { fit_central_kpca(x, bad); }).what(), ::testing::HasSubstr("gamma"));

  central_kpca::Options linear = options(4);
  linear.kernel.kind = KernelKind::linear;
  EXPECT_THAT(refusal([&] { fit_central_kpca(x, linear); }).what(), ::testing::HasSubstr("rank 3"));
}

TEST(CentralKpca, StopsWhenAsked) {
  std::stop_source source;
  source.request_stop();
  RunOptions stopped;
  stopped.watch.stop = source.get_token();
  EXPECT_EQ(refusal([&] { fit_central_kpca(falling_scales(3, 50), options(), stopped); }).category(),
            ErrorCategory::Cancelled);
}

}  // namespace
}  // namespace choir
