// The pure parts: penalties, options, landmarks, feature sums, alignment, models.
#include "learn/consensus_kpca/digits.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/error.h"
#include "choir/base/rng.h"
#include "choir/kernel/gram.h"
#include "choir/learn/agreement/distance_histogram.h"
#include "choir/learn/consensus_kpca/feature_moments.h"
#include "choir/learn/consensus_kpca/models.h"
#include "choir/learn/consensus_kpca/penalty.h"
#include "choir/learn/consensus_kpca/projection_consensus.h"

namespace choir::consensus_kpca {
namespace {

using testing_digits::Digits;
using testing_digits::fit;
using testing_digits::fixed_length;

Matrix normal_matrix(Index rows, Index columns, std::uint64_t seed) {
  Rng rng(seed, Purpose("test"));
  return Matrix::NullaryExpr(rows, columns, [&] { return rng.normal(); });
}

TEST(Penalty, TheBoundOfAssumption2) {
  const Vector eigenvalues = (Vector(2) << 3, 1).finished();
  // (sqrt(81 + 8 * 5 * 3 * (27 + 1)) + 9) / (5 * 3)
  EXPECT_NEAR(assumption_2_bound(eigenvalues, 5), (std::sqrt(81.0 + 3360) + 9) / 15, 1e-12);
  EXPECT_EQ(assumption_2_bound(Vector(), 5), 0);
}

TEST(Penalty, ThePrintedSchedule) {
  const PenaltyRule rule({.rule = Penalty::Rule::schedule}, 7);
  for (const auto& [t, other] :
       std::vector<std::pair<Index, double>>{{0, 10}, {3, 10}, {4, 50}, {8, 100}, {99, 100}}) {
    EXPECT_EQ(rule.at(t).self, 100);
    EXPECT_EQ(rule.at(t).other, other);
  }
  EXPECT_EQ(PenaltyRule({}, 7).at(3).other, 7);
}

TEST(Penalty, ALostNeighboursShareGoesToTheNodeItself) {
  const Rho rho{.self = 5, .other = 3};
  EXPECT_EQ(rho.without(2).sum(2), rho.sum(4));
}

TEST(ConsensusKpcaOptions, RefuseWhatCannotBe) {
  const auto refused = [](const auto& change) {
    Options options;
    change(options);
    EXPECT_THROW(validate(options), Error);
  };
  EXPECT_NO_THROW(validate(Options()));
  refused([](auto& o) { o.guard = -1; });
  refused([](auto& o) { o.max_iter = 0; });
  refused([](auto& o) { o.tol = -1; });
  refused([](auto& o) { o.min_count = 0; });
  refused([](auto& o) { o.exchange_noise = -2; });
  refused([](auto& o) {
    o.share = Share::landmarks;
    o.exchange_noise = 2;
  });
  refused([](auto& o) {
    o.share = Share::random_features;
    o.kernel.kind = KernelKind::poly;
  });
  EXPECT_THROW(parse_penalty("-3"), Error);
  EXPECT_THROW(parse_choice<Share>("share", "everything"), Error);
  EXPECT_EQ(parse_choice<Share>("share", to_string(Share::random_features)), Share::random_features);
}

TEST(FeatureMoments, ComeBackFromOneColumn) {
  for (const Index features : {1, 2, 7}) {
    const Matrix psi = normal_matrix(features, 9, 4);
    const FeatureMoments moments = FeatureMoments::of(psi, Vector::Ones(9));
    const FeatureMoments back = FeatureMoments::unpacked(moments.packed());
    EXPECT_EQ(back.count, 9);
    EXPECT_EQ(back.diagonal, 9);
    EXPECT_EQ(back.sum, moments.sum);
    EXPECT_LE((back.products - psi * psi.transpose()).norm(), 1e-12);
  }
  EXPECT_THROW(FeatureMoments::unpacked(Matrix::Zero(6, 1)), Error);
}

TEST(FeatureMoments, TheirBasisIsPcaOfTheFeatures) {
  const Matrix psi = (Vector(4) << 5, 3, 2, 1).finished().asDiagonal() * normal_matrix(4, 60, 5);
  const FeatureBasis basis =
      basis_of(FeatureMoments::of(psi, psi.colwise().squaredNorm()), {.components = {.count = 2}}, 60);
  const Matrix centred = psi.colwise() - psi.rowwise().mean();
  const Matrix scatter = centred * centred.transpose();
  for (Index d = 0; d < 2; ++d) {
    EXPECT_LE((scatter * basis.directions.col(d) - basis.eigenvalues(d) * basis.directions.col(d)).norm(),
              1e-8);
  }
  EXPECT_NEAR(basis.trace, scatter.trace(), 1e-9);
}

TEST(NeighborhoodKernel, IsTheSameMatrixInEitherPrecision) {
  const Matrix half = normal_matrix(9, 9, 11);
  const Matrix matrix = half * half.transpose();
  const std::vector<Index> sizes = {2, 4, 3};
  const NeighborhoodKernel twice(matrix, sizes, Precision::float64);
  const NeighborhoodKernel single(matrix, sizes, Precision::float32);
  const Matrix c = normal_matrix(9, 2, 12), alpha = normal_matrix(4, 2, 13);
  EXPECT_EQ(twice.times(c), matrix * c);
  EXPECT_LE((single.times(c) - matrix * c).norm(), 1e-5 * (matrix * c).norm());
  EXPECT_LE((single.dense() - matrix).norm(), 1e-6 * matrix.norm());
  EXPECT_LE((twice.own_rows_times(1, alpha) - matrix.block(0, 2, 2, 4) * alpha).norm(), 1e-12);
  EXPECT_LE((single.own_rows_times(1, alpha) - twice.own_rows_times(1, alpha)).norm(), 1e-4);
  EXPECT_EQ(twice.rank(), 9);
  EXPECT_EQ(single.rank(), 9);
  const Matrix top = single.leading_directions(1);
  EXPECT_NEAR((top.transpose() * matrix * top)(0, 0), 1, 0.02);
  EXPECT_EQ(NeighborhoodKernel::bytes_needed(sizes, Precision::float32), 4u * (4 + 8 + 16 + 6 + 12 + 9));
  EXPECT_EQ(NeighborhoodKernel::bytes_needed(sizes, Precision::float64), 8u * 81);
}

TEST(Alignment, TurnsBackWhatWasTurned) {
  const Matrix own = normal_matrix(10, 3, 6);
  const Matrix turn = alignment(own, own * alignment(normal_matrix(3, 3, 7), normal_matrix(3, 3, 8)));
  EXPECT_LE((turn.transpose() * turn - Matrix::Identity(3, 3)).norm(), 1e-12);
  EXPECT_LE((alignment(own, own * turn) - turn).norm(), 1e-10);
  EXPECT_EQ(alignment(own.leftCols(1), -own.leftCols(1))(0, 0), -1);
}

TEST(DistanceHistogram, ItsMedianIsTheMedianToAPercent) {
  const Samples x = normal_matrix(6, 50, 9), y = normal_matrix(6, 70, 10);
  std::vector<double> all;
  for (Index i = 0; i < 50; ++i) {
    for (Index j = 0; j < 70; ++j) all.push_back((x.col(i) - y.col(j)).squaredNorm());
    for (Index j = 0; j < 50; ++j) {
      if (i != j) all.push_back((x.col(i) - x.col(j)).squaredNorm());
    }
  }
  std::sort(all.begin(), all.end());
  DistanceHistogram histogram(12);
  histogram.add(x, y, SameSamples::no);
  histogram.add(x, x, SameSamples::yes);
  EXPECT_NEAR(histogram.median() / all[all.size() / 2], 1, 0.01);
  EXPECT_THROW(DistanceHistogram(0), Error);
  DistanceHistogram same(12);
  same.add(x.leftCols(1), x.leftCols(1), SameSamples::no);
  EXPECT_THROW(same.median(), Error);
}

TEST(ConsensusKpcaModels, ScoreTheTrainingSamplesAsTheProgramDid) {
  const Digits digits(6, 30);
  for (const Centering centering : {Centering::landmark, Centering::local, Centering::none}) {
    Options options = fixed_length(2, 8);
    options.centering = centering;
    const Fit fitted = fit(digits, options);
    // Scores of all nodes' own samples, about their mean, are what the eigenvalues are sums of.
    Matrix scores(180, 2);
    for (NodeId j = 0; j < 6; ++j) {
      const Model model = model_of(fitted.at(j), Answer::neighborhood);
      scores.middleRows(30 * j, 30) = transform(model, digits.shards[static_cast<std::size_t>(j)]);
    }
    if (centering == Centering::landmark) scores.rowwise() -= scores.colwise().mean().eval();
    const Vector squares = scores.colwise().squaredNorm();
    EXPECT_LE((squares - fitted.at(0).eigenvalues).norm() / squares.norm(), 1e-8) << to_string(centering);
  }
}

TEST(ConsensusKpcaModels, NeighbourhoodDirectionsAreOrthonormal) {
  const Fit fitted = fit(Digits(6, 30), fixed_length(3, 8));
  const auto model = std::get<KernelModel>(model_of(fitted.at(2), Answer::neighborhood));
  const Matrix kernel = gram<double>(model.kernel, model.points, model.points);
  const Matrix overlap = model.coefficients.transpose() * kernel * model.coefficients;
  EXPECT_LE((overlap - Matrix::Identity(3, 3)).norm(), 1e-8);
}

TEST(ConsensusKpcaModels, OwnDirectionsKnowTheirOverlap) {
  for (const Share share : {Share::samples, Share::landmarks, Share::random_features}) {
    Options options = fixed_length(3, 8);
    options.share = share;
    options.n_features = 300;
    const Fit fitted = fit(Digits(6, 30), options);
    const auto model = std::get<KernelModel>(model_of(fitted.at(2), Answer::own));
    const Matrix kernel = gram<double>(model.kernel, model.points, model.points);
    const Matrix overlap = model.coefficients.transpose() * kernel * model.coefficients;
    EXPECT_LE((overlap - model.overlap).norm(), 1e-8) << to_string(share);
  }
}

TEST(ConsensusKpcaModels, EveryAnswerTransformsScoresAndComesBack) {
  const Digits digits(6, 30);
  for (const Share share : {Share::samples, Share::landmarks, Share::random_features}) {
    Options options = fixed_length(2, 8);
    options.share = share;
    options.n_features = 300;
    const Fit fitted = fit(digits, options);
    const auto answers = answers_of(fitted.at(1));
    EXPECT_EQ(answers.size(), share == Share::samples ? 3u : 2u);
    for (const auto& [name, model] : answers) {
      const Matrix scores = transform(model, digits.shards[3]);
      EXPECT_EQ(scores.cols(), 2) << name;
      EXPECT_TRUE(score(model, digits.shards[3]).allFinite()) << name;
      EXPECT_TRUE(inverse(model, scores).allFinite()) << name;
    }
    if (share != Share::samples) EXPECT_THROW(model_of(fitted.at(1), Answer::neighborhood), Error);
  }
}

}  // namespace
}  // namespace choir::consensus_kpca
