#include "choir/learn/online_kernel/komp.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "linalg/matrices.h"
#include <Eigen/Cholesky>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "choir/base/error.h"
#include "choir/kernel/gram.h"

namespace choir::online_kernel {
namespace {

using testing::random_matrix;

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Problem {
  Matrix gram;
  Matrix weights;
};

Problem problem_of(Index atoms, Index outputs, double gamma, std::uint64_t seed) {
  const Samples samples = random_matrix(2, atoms, seed);
  const Kernel kernel{.kind = KernelKind::rbf, .gamma = gamma};
  return {.gram = TriangularGram<double>::compute(kernel, samples).dense(),
          .weights = random_matrix(atoms, outputs, seed + 1)};
}

Matrix jittered(const Matrix& gram, double jitter) {
  return gram + jitter * Matrix::Identity(gram.rows(), gram.rows());
}

// min ||f - sum_k w_k k(d_k, .)||^2 over weights of the atoms that are left: least squares, from scratch.
double fit_to(const std::vector<Index>& left, const Matrix& gram, const Matrix& weights, Matrix& fitted) {
  const double all = (weights.transpose() * gram * weights).trace();
  if (left.empty()) {
    fitted = Matrix(0, weights.cols());
    return all;
  }
  const Matrix right = gram(left, Eigen::all) * weights;
  fitted = Eigen::LLT<Matrix>(gram(left, left)).solve(right);
  return all - right.cwiseProduct(fitted).sum();
}

// Algorithm 2, word by word.
Pursuit literal(const Matrix& given, const Matrix& weights, const PruneRule& rule) {
  const Matrix gram = jittered(given, rule.jitter);
  Pursuit result{.atoms = std::vector<Index>(static_cast<std::size_t>(gram.rows())), .weights = weights};
  std::iota(result.atoms.begin(), result.atoms.end(), Index{0});
  while (!result.atoms.empty()) {
    double least = infinity;
    Pursuit best;
    for (std::size_t j = 0; j < result.atoms.size(); ++j) {
      std::vector<Index> left = result.atoms;
      left.erase(left.begin() + static_cast<Index>(j));
      Matrix fitted;
      const double error = fit_to(left, gram, weights, fitted);
      if (error >= least) continue;
      least = error;
      best = {.atoms = left, .weights = fitted, .error = std::sqrt(std::max(error, 0.0))};
    }
    const bool too_much = best.error > rule.epsilon;
    if (too_much && static_cast<Index>(result.atoms.size()) <= rule.most) break;
    result = best;
  }
  return result;
}

void expect_equal(const Pursuit& pursuit, const Pursuit& truth) {
  EXPECT_EQ(pursuit.atoms, truth.atoms);
  ASSERT_EQ(pursuit.weights.rows(), truth.weights.rows());
  EXPECT_LT((pursuit.weights - truth.weights).norm(), 1e-10 * (1 + truth.weights.norm()));
  EXPECT_NEAR(pursuit.error, truth.error, 1e-6);
}

TEST(Komp, KeepsWhatTheLiteralAlgorithmKeeps) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const Problem problem = problem_of(40, 5, 6, seed);
    for (const double epsilon : {0.5, 2.0, 5.0}) {
      const PruneRule rule{.epsilon = epsilon};
      const Pursuit truth = literal(problem.gram, problem.weights, rule);
      ASSERT_GT(truth.atoms.size(), 0u);
      ASSERT_LT(truth.atoms.size(), 40u);
      expect_equal(prune(problem.gram, problem.weights, rule), truth);
    }
  }
}

// More removals than are done at a time.
TEST(Komp, KeepsWhatTheLiteralAlgorithmKeepsWhenManyGo) {
  const Problem problem = problem_of(130, 2, 60, 3);
  const PruneRule rule{.epsilon = 0, .most = 10};
  expect_equal(prune(problem.gram, problem.weights, rule), literal(problem.gram, problem.weights, rule));
}

TEST(Komp, KeepsAtMostSoManyWhateverEpsilonSays) {
  const Problem problem = problem_of(40, 3, 6, 7);
  for (const Index most : {1, 7, 39, 40, 100}) {
    const Pursuit kept = prune(problem.gram, problem.weights, {.epsilon = 0, .most = most});
    EXPECT_EQ(kept.atoms.size(), static_cast<std::size_t>(std::min<Index>(most, 40)));
    expect_equal(kept, literal(problem.gram, problem.weights, {.epsilon = 0, .most = most}));
  }
}

TEST(Komp, LeavesNothingOfAFunctionSmallerThanEpsilon) {
  const Problem problem = problem_of(20, 3, 6, 7);
  const Matrix gram = jittered(problem.gram, 1e-8);
  const double norm = std::sqrt((problem.weights.transpose() * gram * problem.weights).trace());
  const Pursuit nothing = prune(problem.gram, problem.weights, {.epsilon = 1.001 * norm});
  EXPECT_TRUE(nothing.atoms.empty());
  EXPECT_EQ(nothing.weights.cols(), 3);
  EXPECT_NEAR(nothing.error, norm, 1e-6 * norm);
  EXPECT_TRUE(prune(Matrix(0, 0), Matrix(0, 3), {.epsilon = 1}).atoms.empty());
}

// Without jitter there is no inverse.
TEST(Komp, RemovesAtomsThatAreThereTwice) {
  const Samples once = random_matrix(2, 10, 1);
  Samples samples(2, 30);
  samples << once, once, once;
  const Matrix gram = TriangularGram<double>::compute({.gamma = 1}, samples).dense();
  const Matrix weights = random_matrix(30, 2, 2);
  const Pursuit kept = prune(gram, weights, {.epsilon = 1e-3});
  EXPECT_LE(kept.atoms.size(), 10u);
  const Matrix before = gram * weights;
  const Matrix after = gram(Eigen::all, kept.atoms) * kept.weights;
  EXPECT_LT((before - after).norm(), 1e-2);
}

TEST(Komp, RaisesTheJitterForAMatrixThatIsNotPositiveDefinite) {
  Matrix gram = Matrix::Identity(4, 4);
  gram(0, 1) = gram(1, 0) = 1.001;  // an eigenvalue of -0.001
  const Matrix weights = random_matrix(4, 2, 1);
  const Pursuit kept = prune(gram, weights, {.epsilon = 0, .most = 3});
  EXPECT_EQ(kept.atoms.size(), 3u);
  EXPECT_TRUE(kept.weights.allFinite());
  EXPECT_THROW(prune(-Matrix::Identity(3, 3), weights.topRows(3), {}), Error);
}

// ||f - g||^2 with weights of g at the atoms that stayed, in the norm that the jitter makes.
double distance(const Problem& problem, const Pursuit& kept, double jitter) {
  Matrix difference = problem.weights;
  for (std::size_t k = 0; k < kept.atoms.size(); ++k) {
    difference.row(kept.atoms[k]) -= kept.weights.row(static_cast<Index>(k));
  }
  return std::sqrt((difference.transpose() * jittered(problem.gram, jitter) * difference).trace());
}

RC_GTEST_PROP(Komp, SaysTheErrorItMakesAndMakesNoMoreThanEpsilon, ()) {
  const auto atoms = *rc::gen::inRange<Index>(1, 80);
  const auto outputs = *rc::gen::inRange<Index>(1, 6);
  const auto gamma = *rc::gen::element(0.1, 1.0, 10.0);
  const auto epsilon = *rc::gen::element(1e-4, 0.1, 1.0, 5.0);
  const Problem problem = problem_of(atoms, outputs, gamma, *rc::gen::inRange<std::uint64_t>(0, 1000));
  const PruneRule rule{.epsilon = epsilon, .most = *rc::gen::inRange<Index>(1, 100)};
  const Pursuit kept = prune(problem.gram, problem.weights, rule);
  RC_ASSERT(static_cast<Index>(kept.atoms.size()) <= rule.most);
  RC_ASSERT(std::is_sorted(kept.atoms.begin(), kept.atoms.end()));
  RC_ASSERT(kept.weights.allFinite());
  const double error = distance(problem, kept, rule.jitter);
  RC_ASSERT(std::abs(error - kept.error) <= 1e-4 * (1 + error));
  if (static_cast<Index>(kept.atoms.size()) < rule.most) RC_ASSERT(kept.error <= epsilon);
}

}  // namespace
}  // namespace choir::online_kernel
