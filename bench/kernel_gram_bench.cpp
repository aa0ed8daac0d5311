// The bar of the kernel room: the lower triangle of an RBF kernel matrix, 8000 samples of 784 features, on
// one thread, against one dsyrk (ssyrk) of that size; and products with the stored matrix.
#include <benchmark/benchmark.h>
#include <cblas.h>

#include "choir/base/rng.h"
#include "choir/kernel/gram.h"
#include "choir/linalg/blas.h"

namespace choir {
namespace {

constexpr Index features = 784;
constexpr Index count = 8000;
constexpr Kernel rbf{.kind = KernelKind::rbf, .gamma = 1e-3};

template <class Scalar>
const MatrixOf<Scalar>& samples() {
  static const MatrixOf<Scalar> x = [] {
    Rng rng(0, Purpose("benchmark samples"));
    return MatrixOf<Scalar>(
        MatrixOf<Scalar>::NullaryExpr(features, count, [&] { return static_cast<Scalar>(rng.uniform()); }));
  }();
  return x;
}

void syrk(const Matrix& x, Matrix& c) {
  cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, count, features, 1.0, x.data(), features, 0.0, c.data(),
              count);
}

void syrk(const MatrixOf<float>& x, MatrixOf<float>& c) {
  cblas_ssyrk(CblasColMajor, CblasLower, CblasTrans, count, features, 1.0F, x.data(), features, 0.0F,
              c.data(), count);
}

// The result is allocated in every iteration (fresh), as the kernel matrix is, or once before.
template <class Scalar>
void syrk_alone(benchmark::State& state) {
  const SingleThreadedBlas one;
  const bool fresh = state.range(0) != 0;
  const MatrixOf<Scalar>& x = samples<Scalar>();
  MatrixOf<Scalar> c = MatrixOf<Scalar>::Zero(count, count);
  for (auto _ : state) {
    if (fresh) c = MatrixOf<Scalar>();
    c.resize(count, count);
    syrk(x, c);
    benchmark::DoNotOptimize(c.data());
  }
}

template <class Scalar>
void rbf_triangle(benchmark::State& state) {
  const SingleThreadedBlas one;
  const MatrixOf<Scalar>& x = samples<Scalar>();
  for (auto _ : state) {
    const auto lower = TriangularGram<Scalar>::compute(rbf, x, {.threads = static_cast<int>(state.range(0))});
    benchmark::DoNotOptimize(lower.row_sums().data());
  }
}

template <class Scalar>
void product(benchmark::State& state) {
  const SingleThreadedBlas one;
  const auto lower =
      TriangularGram<Scalar>::compute(rbf, samples<Scalar>(), {.threads = static_cast<int>(state.range(0))});
  const MatrixOf<Scalar> block = MatrixOf<Scalar>::Ones(count, state.range(1));
  MatrixOf<Scalar> out(count, block.cols());
  for (auto _ : state) {
    lower.apply(block, out);
    benchmark::DoNotOptimize(out.data());
  }
}

void in_milliseconds(benchmark::internal::Benchmark* measured) {
  measured->Unit(benchmark::kMillisecond)->UseRealTime();
}

BENCHMARK(syrk_alone<double>)->ArgName("fresh")->Arg(0)->Arg(1)->Apply(in_milliseconds);
BENCHMARK(rbf_triangle<double>)->ArgName("threads")->Arg(1)->Arg(2)->Apply(in_milliseconds);
BENCHMARK(syrk_alone<float>)->ArgName("fresh")->Arg(0)->Arg(1)->Apply(in_milliseconds);
BENCHMARK(rbf_triangle<float>)->ArgName("threads")->Arg(1)->Arg(2)->Apply(in_milliseconds);
BENCHMARK(product<double>)
    ->ArgNames({"threads", "columns"})
    ->ArgsProduct({{1, 2}, {1, 14, 64}})
    ->Apply(in_milliseconds);
BENCHMARK(product<float>)
    ->ArgNames({"threads", "columns"})
    ->ArgsProduct({{1, 2}, {1, 14}})
    ->Apply(in_milliseconds);

}  // namespace
}  // namespace choir

BENCHMARK_MAIN();
