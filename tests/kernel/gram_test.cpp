#include "choir/kernel/gram.h"

#include <limits>
#include <vector>

#include "kernel/kernels.h"
#include "kernel/support.h"
#include <Eigen/Eigenvalues>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace choir {
namespace {

struct Golden {
  Kernel kernel;
  std::vector<double> values;  // 4 x 3, row by row
};

// sklearn.metrics.pairwise.pairwise_kernels of scikit-learn 1.2.1.
std::vector<Golden> golden() {
  return {{{.kind = KernelKind::rbf, .gamma = 0.3},
           {0.16529888822158656, 0.025349405522724945, 1.0, 0.43009464064006225, 0.21898544775078424,
            0.013653628069915217, 0.04978706836786394, 0.5091564206075492, 0.02732372244729257,
            0.3971514837166464, 0.009697011827047596, 0.06564869871391518}},
          {{.kind = KernelKind::linear},
           {1.0, -0.5, 6.0, 1.75, 2.25, -2.0, 1.0, 6.5, 2.0, 0.875, -3.6875, -0.125}},
          {{.kind = KernelKind::poly, .gamma = 0.3, .degree = 5, .coef0 = 0.7},
           {1.0, 0.05032843749999997, 97.65625, 2.7585473535156257, 4.914886474609375, 9.999999999999989e-06,
            1.0, 130.68609156249997, 3.7129299999999974, 0.8260449697875972, -0.011065393686294556,
            0.12762313629150387}},
          {{.kind = KernelKind::laplacian, .gamma = 0.3},
           {0.3011942119122021, 0.19204990862075413, 1.0, 0.43823499246494924, 0.32465246735834974,
            0.17817305177289847, 0.3011942119122021, 0.4723665527410147, 0.16529888822158656,
            0.4549808267181735, 0.1849813999073043, 0.23165640917688882}},
          {{.kind = KernelKind::sigmoid, .gamma = 0.3, .coef0 = 0.7},
           {0.7615941559557649, 0.5005202111902352, 0.9866142981514303, 0.8411229016320433,
            0.8798266996519848, 0.09966799462495579, 0.7615941559557649, 0.990066396699886,
            0.8617231593133063, 0.7453899238492566, -0.38528396626947226, 0.5800247468527949}},
          {{.kind = KernelKind::cosine},
           {0.2886751345948129, -0.08908708063747482, 1.0000000000000002, 0.5958795715311239,
            0.4728662437434604, -0.3931785497463924, 0.22360679774997896, 0.8970852271450604,
            0.2581988897471611, 0.3679118318593456, -0.9569804744710368, -0.030344856451720255}}};
}

Samples golden_x() {
  Samples x(3, 4);
  x << 1, 0.5, 3, -1.5, 2, -0.25, 0, 0.75, -1, 2, 1, 0.125;
  return x;
}

Samples golden_y() {
  Samples y(3, 3);
  y << 0, 2, 1, 1, -1, 2, 1, 0.5, -1;
  return y;
}

TEST(Gram, AgreesWithScikitLearn) {
  for (const auto& [kernel, values] : golden()) {
    const Matrix truth = Eigen::Map<const Eigen::Matrix<double, 4, 3, Eigen::RowMajor>>(values.data());
    const double scale = truth.cwiseAbs().maxCoeff();
    const Matrix block = gram<double>(kernel, golden_x(), golden_y());
    EXPECT_LE(largest_difference(block, truth), 1e-12 * scale) << describe(kernel);
    const MatrixOf<float> single = gram<float>(kernel, golden_x().cast<float>(), golden_y().cast<float>());
    EXPECT_LE(largest_difference(single.cast<double>(), truth), 1e-5 * scale) << describe(kernel);
  }
}

TEST(Gram, AgreesWithTheFormulaForAnyShape) {
  for (const Kernel& kernel : every_kernel()) {
    for (const Index features : {1, 7, 33}) {
      for (const auto& [rows, columns] : {std::pair<Index, Index>{1, 1}, {3, 200}, {131, 17}}) {
        const Samples x = normal_samples(features, rows, 1), y = normal_samples(features, columns, 2);
        const Matrix truth = plain_gram(kernel, x, y);
        EXPECT_LE(largest_difference(gram<double>(kernel, x, y), truth),
                  1e-12 * (1 + truth.cwiseAbs().maxCoeff()))
            << describe(kernel) << " " << features << " x " << rows << ", " << columns;
      }
    }
  }
}

TEST(Gram, ReadsNeighbouringColumnsOfALargerMatrixInPlace) {
  const Samples all = normal_samples(5, 60, 3);
  for (const Kernel& kernel : every_kernel()) {
    const Matrix part = gram<double>(kernel, all.middleCols(10, 20), all.topRows(5).rightCols(7));
    EXPECT_LE(largest_difference(part, plain_gram(kernel, all.middleCols(10, 20), all.rightCols(7))), 1e-11);
  }
}

TEST(Gram, ALargeCommonOffsetCostsNoDigits) {
  const Samples x = normal_samples(20, 50, 4);
  const Samples far = ((x.array() + 1e6) - 1e6);  // what of x survives the offset
  const Kernel kernel{.kind = KernelKind::rbf, .gamma = 0.05};
  const Matrix shifted = gram<double>(kernel, (x.array() + 1e6).matrix(), (x.array() + 1e6).matrix());
  EXPECT_LE(largest_difference(shifted, plain_gram(kernel, far, far)), 1e-12);
  const auto lower = TriangularGram<double>::compute(kernel, (x.array() + 1e6).matrix());
  EXPECT_LE(largest_difference(lower.dense(), plain_gram(kernel, far, far)), 1e-12);
}

TEST(Gram, BitsDoNotDependOnThreads) {
  const Samples x = normal_samples(13, 300, 5), y = normal_samples(13, 270, 6);
  for (const Kernel& kernel : every_kernel()) {
    const Matrix one = gram<double>(kernel, x, y, {.threads = 1});
    for (const int threads : {2, 5}) EXPECT_EQ(gram<double>(kernel, x, y, {.threads = threads}), one);
  }
}

TEST(Gram, DiagonalIsThatOfTheMatrix) {
  const Samples x = normal_samples(6, 40, 7);
  for (const Kernel& kernel : every_kernel()) {
    const Vector diagonal = gram_diagonal<double>(kernel, x);
    EXPECT_LE(largest_difference(diagonal, plain_gram(kernel, x, x).diagonal()), 1e-12) << describe(kernel);
    if (kernel.normalized) {
      EXPECT_EQ(diagonal, Vector::Ones(40));
    }
  }
}

TEST(Gram, RbfAndLaplacianArePositiveSemidefinite) {
  const Samples x = normal_samples(3, 80, 8);
  for (const auto kind : {KernelKind::rbf, KernelKind::laplacian}) {
    const Kernel kernel{.kind = kind, .gamma = 0.5};
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(gram<double>(kernel, x, x), Eigen::EigenvaluesOnly);
    EXPECT_GE(eigen.eigenvalues().minCoeff(), -1e-12);
  }
}

TEST(Gram, CosineWithAZeroVectorIsZero) {
  Samples x = normal_samples(4, 3, 9);
  x.col(1).setZero();
  const Matrix block = gram<double>({.kind = KernelKind::cosine}, x, x);
  EXPECT_EQ(block.row(1), Matrix::Zero(1, 3));
  EXPECT_EQ(block.col(1), Matrix::Zero(3, 1));
  EXPECT_EQ(gram_diagonal<double>({.kind = KernelKind::cosine}, x), (Vector(3) << 1, 0, 1).finished());
}

TEST(Gram, EmptySetsGiveEmptyBlocks) {
  const Samples none(4, 0), some = normal_samples(4, 3, 10);
  const Kernel kernel;
  EXPECT_EQ(gram<double>(kernel, none, some).rows(), 0);
  EXPECT_EQ(gram<double>(kernel, some, none).cols(), 0);
  EXPECT_EQ(TriangularGram<double>::compute(kernel, none).rows(), 0);
}

TEST(Gram, ErrorsNameTheTrouble) {
  const Samples x = normal_samples(4, 3, 11);
  EXPECT_THAT(message_of([&] { gram<double>({}, x, normal_samples(5, 3, 11)); }),
              ::testing::AllOf(HasSubstr("4 features"), HasSubstr("5")));
  EXPECT_THAT(message_of([&] { gram<double>({.gamma = -1}, x, x); }), HasSubstr("gamma is -1"));
  EXPECT_THAT(message_of([&] { gram<double>({}, Samples(0, 3), Samples(0, 3)); }), HasSubstr("no features"));

  Samples with_zero = x;
  with_zero.col(2).setZero();
  for (const auto kind : {KernelKind::linear, KernelKind::cosine}) {
    const Kernel kernel{.kind = kind, .normalized = true};
    const std::string message = message_of([&] { gram<double>(kernel, x, with_zero); });
    EXPECT_THAT(message, ::testing::AllOf(HasSubstr("sample 2"), HasSubstr("cannot be normalized")));
    EXPECT_NE(message_of([&] { gram_diagonal<double>(kernel, with_zero); }), "");
  }
}

TEST(Gram, ProgressCountsEveryTileOnceAndStopsOnRequest) {
  const Samples x = normal_samples(2, 300, 12);
  std::vector<Index> seen;
  Index total = 0;
  const Watch watch{.progress =
                        [&](const Progress& p) {
                          seen.push_back(p.done);
                          total = p.total;
                        },
                    .stop = {}};
  gram<double>({}, x, x, {.threads = 4, .watch = watch});
  ASSERT_GT(total, 1);
  ASSERT_EQ(static_cast<Index>(seen.size()), total);
  for (Index i = 0; i < total; ++i) EXPECT_EQ(seen[static_cast<std::size_t>(i)], i + 1);

  std::stop_source stop;
  stop.request_stop();
  EXPECT_THAT(
      message_of([&] { gram<double>({}, x, x, {.watch = {.progress = {}, .stop = stop.get_token()}}); }),
      HasSubstr("stopped"));
}

}  // namespace
}  // namespace choir
