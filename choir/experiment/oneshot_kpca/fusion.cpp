#include "choir/experiment/oneshot_kpca/fusion.h"

#include <fmt/format.h>

#include "choir/learn/central/kernel_pca.h"
#include "choir/linalg/blas.h"
#include "choir/linalg/eigen.h"
#include "choir/metrics/subspace.h"

namespace choir {
namespace {

constexpr double tol = 1e-12;  // errors are squares of what the eigensolver leaves
constexpr Index beyond_components = 5;

double epsilon_of(KernelKind kind) { return kind == KernelKind::linear ? 0.04 : 5e-4; }

oneshot_kpca::FactorSize size_of(const FusionTask& task, const SendingRule& rule) {
  oneshot_kpca::FactorSize size = rule.size;
  size.tol = tol;
  size.threads = task.threads;
  return size;
}

template <class Factor>
Index numbers_of(const std::vector<Factor>& factors) {
  Index numbers = 0;
  for (const Factor& factor : factors) numbers += numbers_in(factor);
  return numbers;
}

FusedOutcome from_products(const FusionTask& task, const oneshot_kpca::FactorSize& size) {
  std::vector<oneshot_kpca::KernelFactor> factors;
  FusedOutcome outcome;
  for (const Samples& shard : task.shards) {
    factors.push_back(oneshot_kpca::kernel_factor(task.kernel, shard, size));
    outcome.vectors += factors.back().values.size();
  }
  outcome.numbers = numbers_of(factors);
  outcome.kernel = oneshot_kpca::fuse_products(task.kernel, factors, {.threads = task.threads});
  return outcome;
}

FusedOutcome from_distances(const FusionTask& task, const oneshot_kpca::FactorSize& size) {
  std::vector<oneshot_kpca::DistanceFactor> factors;
  FusedOutcome outcome;
  for (const Samples& shard : task.shards) {
    factors.push_back(oneshot_kpca::distance_factor(shard, size));
    outcome.vectors += factors.back().coordinates.cols();
  }
  outcome.numbers = numbers_of(factors);
  outcome.kernel = oneshot_kpca::fuse_distances(task.kernel, factors, {.threads = task.threads});
  return outcome;
}

}  // namespace

SendingRule fixed_size(Index vectors) {
  return {.name = fmt::format("D_j = {}", vectors), .size = {.count = vectors}};
}

SendingRule adaptive_size(KernelKind kind) {
  return {.name = "adaptive", .size = {.epsilon = epsilon_of(kind)}};
}

SendingRule default_size(KernelKind kind, Index components) {
  return {.name = "default",
          .size = {.epsilon = epsilon_of(kind), .least = components + beyond_components},
          .style = SeriesStyle::dashed};
}

SendingRule distances_size(Index vectors) {
  return {.name = fmt::format("distances, k = {}", vectors),
          .estimator = oneshot_kpca::Estimator::distances,
          .size = {.count = vectors},
          .style = SeriesStyle::dashed};
}

FusedOutcome fuse(const FusionTask& task, const SendingRule& rule) {
  const SingleThreadedBlas scope;
  const oneshot_kpca::FactorSize size = size_of(task, rule);
  FusedOutcome outcome = rule.estimator == oneshot_kpca::Estimator::product ? from_products(task, size)
                                                                            : from_distances(task, size);
  outcome.answer = leading_components(outcome.kernel, {.count = task.components}, size);
  return outcome;
}

double smallest_eigenvalue_share(const oneshot_kpca::FusedKernel& kernel) {
  const SingleThreadedBlas scope;
  const Vector values = eigen_symmetric<double>(kernel.matrix.dense()).values;
  return values(values.size() - 1) / values(0);
}

CentralTruth::CentralTruth(const FeatureData& data, Index components, int threads) {
  central_kpca::Options options;
  options.kernel = data.kernel;
  options.n_components.count = components;
  options.tol = tol;
  scores_ = fit_central_kpca(data.features, options, {.threads = threads}).scores;
}

double CentralTruth::error(const Matrix& vectors) const {
  const SingleThreadedBlas scope;
  return subspace_error(scores_, vectors);
}

}  // namespace choir
