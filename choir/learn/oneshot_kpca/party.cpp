#include "choir/learn/oneshot_kpca/party.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/base/stopwatch.h"
#include "choir/learn/oneshot_kpca/claims.h"
#include "choir/learn/oneshot_kpca/fused_answer.h"
#include "choir/learn/oneshot_kpca/sending_plan.h"

namespace choir::oneshot_kpca {
namespace {

constexpr double rbf_epsilon = 5e-4;
constexpr double scatter_epsilon = 0.04;  // linear kernels, and distances that were asked for

Index vectors_in(const KernelFactor& factor) { return factor.values.size(); }
Index vectors_in(const DistanceFactor& factor) { return factor.coordinates.cols(); }

// More vectors are what helps; how many are certainly more for every party.
template <class Factor>
std::string advice_after(const std::vector<Factor>& factors) {
  Index most = 0;
  for (const Factor& factor : factors) {
    if (factor.dropped > 0) most = std::max(most, vectors_in(factor));
  }
  return fmt::format("use --local-components {} or more (now at most {})", 2 * most + 1, most);
}

FactorSize coarse(FactorSize solver) {
  solver.tol = std::max(solver.tol, 1e-6);  // claims have three digits
  return solver;
}

Answer answer_of(FusedAnswer fused) {
  Answer answer;
  answer.scores = fused.vectors * fused.eigenvalues.cwiseSqrt().asDiagonal();
  answer.vectors = std::move(fused.vectors);
  answer.eigenvalues = std::move(fused.eigenvalues);
  answer.trace = fused.trace;
  answer.centring = std::move(fused.centring);
  answer.most_negative = fused.most_negative;
  answer.converged = fused.converged;
  answer.residual = fused.residual;
  return answer;
}

// `fuse` makes a kernel matrix of factors: of all that was sent, and of fewer vectors for comparison.
template <class Factor, class Fuse>
FusedAnswer assessed_answer(const std::vector<Factor>& factors, const std::vector<Factor>& fewer,
                            const Fuse& fuse, const Options& options, const FactorSize& solver,
                            Assessment& assessment) {
  FusedAnswer fused;
  bool whole = true;
  {
    const FusedKernel all = fuse(factors);  // one matrix in memory at a time
    whole = all.whole;
    fused = leading_components(all, options.n_components, solver);
  }
  std::optional<Matrix> compared;
  if (!whole) compared = leading_vectors(fuse(fewer), fused.spectrum.size(), coarse(solver));
  assessment = assess(fused, compared, advice_after(factors));
  return fused;
}

}  // namespace

Index wanted_components(const Options& options) {
  return options.n_components.by_fraction() ? options.n_components.max_count : options.n_components.count;
}

FactorSize size_for(Estimator estimator, const Node& node, const Options& options) {
  const bool of_kernel = estimator == Estimator::product && options.kernel.kind != KernelKind::linear;
  return {.count = options.local_components,
          .epsilon = options.epsilon.value_or(of_kernel ? rbf_epsilon : scatter_epsilon),
          .least = wanted_components(options) + beyond_components,
          .tol = options.tol,
          .max_iter = options.max_iter,
          .threads = node.threads()};
}

FactorSize size_like_product(double gamma, const Node& node, const Options& options, Index samples) {
  FactorSize size = size_for(Estimator::distances, node, options);
  size.above = scatter_threshold(options.epsilon.value_or(rbf_epsilon), gamma, samples);
  return size;
}

void note_size(Index sent, const Options& options, NodeResult& result) {
  result.vectors_sent = sent;
  const Index features = result.features.rows();
  // What the centre has in its own features stays there.
  const bool leaves = options.fusion != Fusion::center || result.node != options.center;
  result.raw_equivalent = leaves && sent > 0 && sent >= features;
  if (!result.raw_equivalent) return;
  const std::string what = fmt::format(
      "node {} has {} feature{} and sends {} vectors: as much as the features themselves, which the vectors "
      "reveal up to a rotation",
      result.node, features, features == 1 ? "" : "s", sent);
  if (options.no_raw_equivalent) {
    fail(ErrorCategory::InvalidArgument,
         "{}; a party needs more than {} features for this, or a smaller number of local components", what,
         sent);
  }
  result.notes.push_back(what);
}

Kind kind_of(const NodeResult& result) { return result.raw_equivalent ? Kind::raw_samples : Kind::features; }

Answer answer_from_products(const Node& node, const std::vector<KernelFactor>& factors,
                            const Options& options, const NodeResult& party) {
  const Stopwatch clock;
  const auto fuse = [&](const std::vector<KernelFactor>& these) {
    return fuse_products(party.kernel, these, {.threads = node.threads(), .watch = node.watch()});
  };
  Assessment assessment;
  const FusedAnswer fused = assessed_answer(factors, compared_parts(factors), fuse, options,
                                            size_for(Estimator::product, node, options), assessment);
  Answer answer = answer_of(fused);
  answer.assessment = std::move(assessment);
  answer.bound = sin_theta_bound(party.kernel, factors, fused);
  answer.seconds = clock.seconds();
  return answer;
}

Answer answer_from_distances(const Node& node, const std::vector<DistanceFactor>& factors,
                             const std::vector<DistanceFactor>& fewer, std::uint64_t seed,
                             const Options& options, NodeResult& party) {
  const Stopwatch clock;
  if (uses_gamma(party.kernel.kind)) party.kernel.gamma = gamma_of_distances(options.gamma, factors, seed);
  const auto fuse = [&](const std::vector<DistanceFactor>& these) {
    return fuse_distances(party.kernel, these, {.threads = node.threads(), .watch = node.watch()});
  };
  Assessment assessment;
  Answer answer = answer_of(assessed_answer(factors, fewer, fuse, options,
                                            size_for(Estimator::distances, node, options), assessment));
  answer.assessment = std::move(assessment);
  answer.lengths = lengths_of(factors);
  if (answer.most_negative.value_or(0) < 0) {
    party.notes.push_back(fmt::format(
        "the kernel {} is not positive definite: the most negative eigenvalue is {:.2g} of the first; the "
        "components are of the positive part, and what they explain is no share of variance",
        to_string(party.kernel.kind), *answer.most_negative / answer.eigenvalues(0)));
  }
  answer.seconds = clock.seconds();
  return answer;
}

}  // namespace choir::oneshot_kpca
