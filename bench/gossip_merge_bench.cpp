// One reception of gossip PCA: the Gram merge against the paper's orthogonal iterations.
#include <benchmark/benchmark.h>

#include "choir/learn/gossip_pca/summary.h"
#include "choir/linalg/blas.h"

namespace {

using namespace choir;

Matrix normal_matrix(Index rows, Index columns, std::uint64_t seed) {
  Rng rng(seed, Purpose("bench"));
  Matrix matrix(rows, columns);
  for (double& entry : matrix.reshaped()) entry = rng.normal();
  return matrix;
}

void merge_twice(benchmark::State& state, MergeRule merge_rule) {
  const SingleThreadedBlas scope;
  const Index dimension = state.range(0);
  const Index carry = state.range(1);
  const SummaryRule rule{.merge = merge_rule, .carry = carry};
  const Summary mine = summary_of_samples(normal_matrix(dimension, 2 * carry, 1), rule);
  const Summary theirs = summary_of_samples(normal_matrix(dimension, 2 * carry, 2), rule);
  Rng random(1, Purpose("bench"));
  for (auto _ : state) {
    Summary merged = mine;
    merge(merged, theirs, rule, random);
    benchmark::DoNotOptimize(merged.values.data());
  }
}

void gram(benchmark::State& state) { merge_twice(state, gossip_pca::MergeRule::gram); }
void orthogonal_iterations(benchmark::State& state) {
  merge_twice(state, gossip_pca::MergeRule::orthogonal_iterations);
}

BENCHMARK(gram)->Args({784, 10})->Args({784, 20})->Args({10000, 30})->Unit(benchmark::kMicrosecond);
BENCHMARK(orthogonal_iterations)
    ->Args({784, 10})
    ->Args({784, 20})
    ->Args({10000, 30})
    ->Unit(benchmark::kMicrosecond);

}  // namespace
