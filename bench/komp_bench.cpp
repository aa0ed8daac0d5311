// Kernel orthogonal matching pursuit of 200 atoms: with an inverse that is kept up to date, and by the
// paper's Algorithm 2 word by word, which solves a least-squares problem for every atom that might go.
#include <cmath>
#include <limits>
#include <numeric>

#include <Eigen/Cholesky>
#include <benchmark/benchmark.h>

#include "choir/base/rng.h"
#include "choir/kernel/gram.h"
#include "choir/learn/online_kernel/komp.h"
#include "choir/linalg/blas.h"

namespace {

using namespace choir;

constexpr Index outputs = 10;

struct Problem {
  Matrix gram;
  Matrix weights;
};

Matrix normal_matrix(Index rows, Index columns, std::uint64_t seed) {
  Rng rng(seed, Purpose("bench"));
  Matrix matrix(rows, columns);
  for (double& entry : matrix.reshaped()) entry = rng.normal();
  return matrix;
}

Problem problem_of(Index atoms) {
  const Samples samples = normal_matrix(10, atoms, 1);
  return {.gram = TriangularGram<double>::compute({.gamma = 0.1}, samples).dense(),
          .weights = normal_matrix(atoms, outputs, 2)};
}

// The best fit to f by the atoms that are left.
double fit_to(const std::vector<Index>& left, const Matrix& gram, const Matrix& images, double norm) {
  const Matrix right = images(left, Eigen::all);
  const Matrix fitted = Eigen::LLT<Matrix>(gram(left, left)).solve(right);
  return norm - right.cwiseProduct(fitted).sum();
}

std::vector<Index> literal(const Problem& problem, const online_kernel::PruneRule& rule) {
  Matrix gram = problem.gram;
  gram.diagonal().array() += rule.jitter;
  const Matrix images = gram * problem.weights;
  const double norm = images.cwiseProduct(problem.weights).sum();
  std::vector<Index> atoms(static_cast<std::size_t>(gram.rows()));
  std::iota(atoms.begin(), atoms.end(), Index{0});
  while (static_cast<Index>(atoms.size()) > rule.most) {
    double least = std::numeric_limits<double>::infinity();
    std::vector<Index> best;
    for (std::size_t j = 0; j < atoms.size(); ++j) {
      std::vector<Index> left = atoms;
      left.erase(left.begin() + static_cast<Index>(j));
      const double error = fit_to(left, gram, images, norm);
      if (error >= least) continue;
      least = error;
      best = std::move(left);
    }
    atoms = std::move(best);
  }
  return atoms;
}

// A batch's worth of atoms goes.
online_kernel::PruneRule rule_for(Index atoms) { return {.epsilon = 0, .most = atoms - 32}; }

void inverse_kept(benchmark::State& state) {
  const SingleThreadedBlas scope;
  const Problem problem = problem_of(state.range(0));
  for (auto _ : state) {
    const Pursuit kept = prune(problem.gram, problem.weights, rule_for(state.range(0)));
    benchmark::DoNotOptimize(kept.weights.data());
  }
}

void algorithm_2(benchmark::State& state) {
  const SingleThreadedBlas scope;
  const Problem problem = problem_of(state.range(0));
  const online_kernel::PruneRule rule = rule_for(state.range(0));
  for (auto _ : state) {
    const std::vector<Index> kept = literal(problem, rule);
    if (kept != prune(problem.gram, problem.weights, rule).atoms)
      state.SkipWithError("other atoms were kept");
  }
}

BENCHMARK(inverse_kept)->Arg(200)->Unit(benchmark::kMillisecond);
BENCHMARK(algorithm_2)->Arg(200)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
