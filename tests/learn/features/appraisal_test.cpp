#include "choir/learn/features/appraisal.h"

#include <cmath>

#include "graph/expect_error.h"
#include "learn/central/toy.h"
#include "linalg/matrices.h"
#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/kernel/gram.h"
#include "choir/kernel/nystroem.h"
#include "choir/linalg/eigen.h"
#include "choir/linalg/qr.h"
#include "choir/runtime/engine.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir {
namespace {

using testing::expect_error;
using testing_toys::falling_scales;

const Kernel rbf{.kind = KernelKind::rbf, .gamma = 0.05};

FeatureMap landmark_map(const Kernel& kernel, const Samples& points) {
  const NystroemFeatures nystroem(kernel, points);
  const SharedLandmarks landmarks{.points = Array(points), .whitening = Array(nystroem.whitening())};
  return {.kernel = kernel, .landmarks = landmarks};
}

FeatureMap random_map(Index count) {
  return {.kernel = rbf, .random = RandomFeaturesOptions{.count = count, .seed = 3}};
}

// The answer over features of all samples.
struct Answered {
  Matrix psi;
  Vector mean;
  Matrix covariance;
  GuardedAnswer answer;

  Answered(const FeatureMap& map, const Samples& samples, Index kept) {
    psi = map.features(samples);
    mean = psi.rowwise().mean();
    const Matrix centred = psi.colwise() - mean;
    covariance = centred * centred.transpose() / static_cast<double>(samples.cols());
    const EigenPairs pairs = eigen_symmetric<double>(covariance);
    const Index all = std::min<Index>(kept + 5, pairs.values.size());
    answer = {.directions = pairs.vectors.leftCols(all), .variances = pairs.values.head(all), .kept = kept};
  }
};

// Cosines between the scores of the answer and those of kernel PCA, component by component.
Vector true_cosines(const Answered& found, const Samples& samples) {
  Matrix kernel = gram<double>(rbf, samples, samples);
  const Index n = samples.cols();
  const Matrix h = Matrix::Identity(n, n) - Matrix::Constant(n, n, 1.0 / static_cast<double>(n));
  kernel = h * kernel * h;
  const EigenPairs central = eigen_symmetric<double>(kernel);
  const Matrix scores =
      (found.psi.colwise() - found.mean).transpose() * found.answer.directions.leftCols(found.answer.kept);
  Vector cosines(found.answer.kept);
  for (Index d = 0; d < cosines.size(); ++d) {
    // <u, w> of w = Phi v / sqrt(l): the score's product with v, over sqrt(l)
    cosines(d) = std::abs(scores.col(d).dot(central.vectors.col(d))) / std::sqrt(central.values(d));
  }
  return cosines;
}

TEST(Appraisal, HalvesOfManyLandmarksAgreeAndThoseOfFewDoNot) {
  const Samples samples = falling_scales(6, 300);
  const Rng random(1, Purpose("test"));
  const FeatureMap many = landmark_map(rbf, samples.leftCols(200));
  const Answered good(many, samples, 3);
  const Vector claims = claims_from_halves(many, good.covariance, good.answer, random);
  EXPECT_GT(claims.minCoeff(), 0.98);
  EXPECT_LE(claims.maxCoeff(), 1);
  const FeatureMap few = landmark_map(rbf, samples.leftCols(8));
  const Answered bad(few, samples, 3);
  EXPECT_LT(claims_from_halves(few, bad.covariance, bad.answer, random).minCoeff(), claims.minCoeff() - 0.02);
}

TEST(Appraisal, HalvesOfRandomFeaturesAreComparedByTheirScores) {
  const Samples samples = falling_scales(6, 300);
  const Rng random(1, Purpose("test"));
  const FeatureMap many = random_map(600);
  const Answered good(many, samples, 1);
  const double of_many = claims_from_halves(many, good.covariance, good.answer, random).minCoeff();
  EXPECT_GT(of_many, 0.9);
  const FeatureMap few = random_map(20);
  const Answered bad(few, samples, 1);
  EXPECT_LT(claims_from_halves(few, bad.covariance, bad.answer, random).minCoeff(), of_many);
}

// The same answer in other coordinates of the same features.
TEST(Appraisal, HalvesOfReducedRandomFeaturesAreHalvesOfAll) {
  const Samples samples = falling_scales(6, 300);
  const Rng random(1, Purpose("test"));
  const FeatureMap all = random_map(80);
  FeatureMap turned = all;
  turned.reduction = Array(thin_qr<double>(falling_scales(80, 80, 3)).q);
  const Answered in_all(all, samples, 2);
  const Answered in_turned(turned, samples, 2);
  const Vector claims = claims_from_halves(all, in_all.covariance, in_all.answer, random);
  EXPECT_GT(claims(0), 0.1);
  EXPECT_LE((claims_from_halves(turned, in_turned.covariance, in_turned.answer, random) - claims).norm(),
            1e-6);
}

// Two components of nearly the same variance: which is which depends on the draw.
TEST(Appraisal, FrequenciesShowWhatAnotherDrawWouldHaveTurned) {
  Samples samples = falling_scales(4, 300);
  samples.row(1) *= 2 * 0.97;  // nearly as wide as the first
  const Answered near(random_map(600), samples, 3);
  const Vector claims = claims_from_frequencies(near.answer);
  const Answered other({.kernel = rbf, .random = RandomFeaturesOptions{.count = 600, .seed = 4}}, samples, 3);
  const Matrix mine = (near.psi.colwise() - near.mean).transpose() * near.answer.directions;
  const Matrix theirs = (other.psi.colwise() - other.mean).transpose() * other.answer.directions;
  for (Index d = 0; d < 3; ++d) {
    const double cosine = std::abs(mine.col(d).normalized().dot(theirs.col(d).normalized()));
    EXPECT_LE(claims(d), cosine + 0.05) << d;
  }
  const Answered apart(random_map(600), falling_scales(4, 300), 1);
  EXPECT_GT(claims_from_frequencies(apart.answer)(0), claims(0));
  EXPECT_GT(claims_from_frequencies(apart.answer)(0), 0.9);
}

TEST(Appraisal, TheResidualOfLandmarksIsNearTheTruth) {
  const Samples samples = falling_scales(6, 300);
  for (const Index landmarks : {25, 60}) {  // of fewer the error is not small
    const FeatureMap map = landmark_map(rbf, samples.leftCols(landmarks));
    const Answered found(map, samples, 2);
    const Matrix kernel = gram<double>(rbf, samples, samples);
    const ResidualSums sums = missed_by_landmarks(found.answer, found.mean, found.psi, kernel);
    const Vector claims = claims_from_sums(found.answer, sums.packed(), Vector::Ones(2));
    EXPECT_LE((claims - true_cosines(found, samples)).cwiseAbs().maxCoeff(), 0.03) << landmarks;
    EXPECT_EQ(claims_from_sums(found.answer, sums.packed(), Vector::Zero(2)), Vector::Zero(2))
        << "the smaller of both counts";
  }
}

TEST(Appraisal, OfFewSamplesAllAreLookedAtAndOfManySome) {
  const Samples few = falling_scales(4, 90);
  const FeatureMap map = landmark_map(rbf, few.leftCols(15));
  const Answered found(map, few, 2);
  const Matrix all =
      missed_by_landmarks(found.answer, found.mean, found.psi, gram<double>(rbf, few, few)).packed();
  EXPECT_LE((missed_of_some(rbf, found.answer, found.mean, few, found.psi).packed() - all).norm(),
            1e-12 * all.norm());
  const Samples many = falling_scales(4, 2500, 2);
  const Answered more(map, many, 2);
  const ResidualSums some = missed_of_some(rbf, more.answer, more.mean, many, more.psi);
  EXPECT_EQ(some.samples, 2500);
  EXPECT_EQ(some.pair_count, 1000.0 * 999);
  const ResidualSums exact =
      missed_by_landmarks(more.answer, more.mean, more.psi, gram<double>(rbf, many, many));
  const Matrix truth = residual_gram(exact);
  EXPECT_LE((residual_gram(some) - truth).norm(), 0.5 * truth.norm());
  const ResidualSums none =
      missed_of_some(rbf, more.answer, more.mean, Samples(4, 0), Matrix(more.psi.rows(), 0));
  EXPECT_EQ(none.packed().norm(), 0);
}

TEST(Appraisal, TheKernelErrorIsThatOfPairsWithoutTheirMeans) {
  const Samples samples = falling_scales(5, 80);
  const Matrix kernel = gram<double>(rbf, samples, samples);
  const Matrix few = random_map(50).features(samples);
  const Matrix many = random_map(5000).features(samples);
  const double rough = kernel_error(kernel_error_sums(few, kernel));
  EXPECT_LT(kernel_error(kernel_error_sums(many, kernel)), rough / 5);
  // A constant in every entry is gone with the mean.
  EXPECT_NEAR(kernel_error(kernel_error_sums(few, kernel.array() + 1)), rough, 0.02 * rough);
  EXPECT_LE((kernel_error_of_some(rbf, samples, few) - kernel_error_sums(few, kernel)).norm(), 1e-9);
  EXPECT_EQ(kernel_error(kernel_error_of_some(rbf, samples.leftCols(1), few.leftCols(1))), 0);
  EXPECT_EQ(kernel_error(kernel_error_of_some(rbf, samples.leftCols(0), few.leftCols(0))), 0);
}

// Blocks of four samples: centring takes away much of what is wrong, and few pairs show little of the rest.
TEST(Appraisal, TheKernelErrorOfFewPairsIsNotTooSmall) {
  constexpr int draws = 200;
  constexpr Index nodes = 7;
  constexpr Index features = 1;  // their largest error is 1
  int too_small = 0;
  double mean = 0;
  double shown = 0;
  Rng rng(1, Purpose("errors of entries"));
  for (int draw = 0; draw < draws; ++draw) {
    Matrix sums = Matrix::Zero(2, 1);
    for (Index node = 0; node < nodes; ++node) {
      Matrix errors = Matrix::Zero(4, 4);  // of deviation 0.5, in the place of a kernel whose features are 0
      for (Index i = 0; i < 4; ++i)
        for (Index j = 0; j < i; ++j) errors(i, j) = errors(j, i) = rng.normal() / 2;
      sums += kernel_error_sums(Matrix::Zero(1, 4), errors);
    }
    const double counted = cautious_kernel_error(sums, features);
    too_small += counted < 0.5 ? 1 : 0;
    mean += counted / draws;
    shown += kernel_error(sums) / draws;
  }
  EXPECT_LE(too_small, draws / 20);
  EXPECT_NEAR(shown, 0.5, 0.02);
  EXPECT_LT(mean, 0.75) << "and not a guess that is always safe";
}

// Nodes of one sample each have no pair that would show it.
TEST(Appraisal, TheKernelErrorWithoutPairsIsTheLargestThatRandomFeaturesHave) {
  const Samples samples = falling_scales(5, 40) * 30;  // far from each other
  const Matrix nothing =
      kernel_error_of_some(rbf, samples.leftCols(1), random_map(50).features(samples.leftCols(1)));
  EXPECT_DOUBLE_EQ(cautious_kernel_error(nothing, 50), std::sqrt(1.0 / 50));
  const Kernel laplacian{.kind = KernelKind::laplacian, .gamma = 0.05};
  for (const Kernel& kernel : {rbf, laplacian}) {
    double squared = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const FeatureMap map{.kernel = kernel, .random = RandomFeaturesOptions{.count = 50, .seed = seed}};
      const double error =
          kernel_error(kernel_error_sums(map.features(samples), gram<double>(kernel, samples, samples)));
      squared += error * error / 20;
    }
    EXPECT_LE(std::sqrt(squared), largest_kernel_error(50)) << to_string(kernel.kind);
    EXPECT_GE(std::sqrt(squared), 0.5 * largest_kernel_error(50)) << to_string(kernel.kind);
  }
}

TEST(Appraisal, AnErrorTiltsWeakComponentsMore) {
  const Vector claims = claims_despite_error(Eigen::Vector3d(1, 0.1, 0), 0.2);
  EXPECT_NEAR(claims(0), 1 / std::sqrt(1 + 0.05 * 0.05), 1e-12);
  EXPECT_NEAR(claims(1), 1 / std::sqrt(1 + 0.5 * 0.5), 1e-12);
  EXPECT_EQ(claims(2), 0);
}

TEST(Appraisal, KnowsKernelsThatAreNoInnerProducts) {
  EXPECT_TRUE(is_inner_product(rbf));
  EXPECT_TRUE(is_inner_product({.kind = KernelKind::poly, .coef0 = 1}));
  EXPECT_FALSE(is_inner_product({.kind = KernelKind::poly, .coef0 = -1}));
  EXPECT_FALSE(is_inner_product({.kind = KernelKind::sigmoid}));
}

TEST(Appraisal, RefusesSharesOfVarianceOfKernelsThatAreNoInnerProducts) {
  const ComponentChoice share{.fraction = 0.9};
  const Kernel negative_poly{.kind = KernelKind::poly, .coef0 = -1};
  for (const Kernel& kernel : {Kernel{.kind = KernelKind::sigmoid}, negative_poly}) {
    expect_error(ErrorCategory::InvalidArgument,
                 {kernel.kind == KernelKind::poly ? "poly" : "sigmoid", "give n_components as a number"},
                 [&] { require_variances(kernel, share); });
    EXPECT_NO_THROW(require_variances(kernel, {.count = 3}));
  }
  EXPECT_NO_THROW(require_variances(rbf, share));
}

// A kernel matrix of the landmarks themselves, by definition.
TEST(Appraisal, APositivePartThatIsTurnedByTheNegativeOneIsNotClaimed) {
  const Samples landmarks = falling_scales(5, 40);
  const auto claims_for = [&](const Kernel& kernel) {
    const Matrix whole = gram<double>(kernel, landmarks, landmarks);
    const GuardedAnswer answer{.directions = Matrix::Identity(6, 6),
                               .variances = eigen_symmetric<double>(whole).values.head(6),
                               .kept = 3};
    return claims_despite_negative_part(kernel, landmarks, answer);
  };
  EXPECT_GT(claims_for(rbf).minCoeff(), 1 - 1e-9) << "there is no negative part";
  double least = 1;
  for (const double gamma : {0.02, 0.05, 0.1, 0.3}) {
    const Kernel sigmoid{.kind = KernelKind::sigmoid, .gamma = gamma, .coef0 = -1};
    least = std::min(least, claims_for(sigmoid).minCoeff());
  }
  EXPECT_LT(least, 0.95);
  const Kernel indefinite{.kind = KernelKind::sigmoid, .gamma = 2, .coef0 = -1};
  EXPECT_LT(negative_share(rbf, landmarks), 1e-12);
  EXPECT_GT(negative_share(indefinite, landmarks), 0.01);
  EXPECT_NE(words_of_negative_part(indefinite, landmarks).find("the sigmoid kernel is no inner product"),
            std::string::npos);
}

// The same numbers whether one node adds them up or several agree on them.
TEST(Appraisal, AgreedIsWhatTheSumsOfAllNodesSay) {
  const Samples samples = falling_scales(5, 90);
  const FeatureMap map = landmark_map(rbf, samples.leftCols(20));
  const Answered found(map, samples, 2);
  const Contract contract{.method = "appraisal",
                          .kinds = {Kind::own_statistics, Kind::masked, Kind::totals, Kind::control}};
  Matrix sums = Matrix::Zero(found.answer.directions.cols() + 3, 2 * found.answer.directions.cols());
  Matrix errors = Matrix::Zero(2, 1);
  const auto part = [&](NodeId node, const Matrix& of) -> Matrix { return of.middleCols(30 * node, 30); };
  for (NodeId node = 0; node < 3; ++node) {
    const Matrix own = part(node, samples);
    const Matrix kernel = gram<double>(rbf, own, own);
    sums += missed_by_landmarks(found.answer, found.mean, part(node, found.psi), kernel).packed();
    errors += kernel_error_sums(part(node, found.psi), kernel);
  }
  SimEngine engine;
  const auto outcome =
      run_nodes<Vector>(engine, make_topology("line", 3, 0), contract, {}, [&](Node& node) -> Task<Vector> {
        const Matrix own = part(node.id(), samples);
        const Matrix psi = part(node.id(), found.psi);
        const Matrix kernel = gram<double>(rbf, own, own);
        ResidualSums mine = missed_by_landmarks(found.answer, found.mean, psi, kernel);
        const Vector halves = Vector::Ones(2);
        SecureSums masked = co_await open_secure_sums(node);
        const AgreedClaims claims =
            co_await agreed_claims(node, masked, found.answer, std::move(mine), halves);
        const double error = co_await agreed_kernel_error(node, masked, psi, kernel);
        Vector both(4);
        both << claims.similarity, claims.captured_share, error;
        co_return both;
      });
  Vector expected(4);
  expected << claims_from_sums(found.answer, sums, Vector::Ones(2)), share_from_sums(found.answer, sums),
      cautious_kernel_error(errors, found.psi.rows());
  for (const auto& node : outcome.results) EXPECT_LE((*node - expected).norm(), 1e-9);
}

}  // namespace
}  // namespace choir
