#include "choir/learn/privacy/noisy_components.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/linalg/eigen.h"
#include "choir/runtime/blocks/tree_sum.h"

namespace choir {
namespace {

constexpr double eigen_tolerance = 1e-10;

Message message_of(const NoisyComponents& found) {
  Message message(Kind::totals);
  message.integer(found.samples).number(found.total_variance).number(found.noise);
  message.array(found.mean).array(found.directions).array(found.variances);
  return message;
}

NoisyComponents components_in(const Message& message) {
  return {.samples = static_cast<Index>(message.integer(0)),
          .mean = message.array(0).matrix(),
          .directions = message.array(1).matrix(),
          .variances = message.array(2).matrix(),
          .total_variance = message.number(0),
          .noise = message.number(1)};
}

}  // namespace

ComponentsBudget components_budget(const PrivacyOptions& options, Index nodes, bool finds_landmarks) {
  ComponentsBudget budget{.plan = PrivacyPlan(options, nodes), .spread = {}, .moments = {}};
  const double for_spread = finds_landmarks ? share_of_spread : 0;
  if (finds_landmarks) {
    budget.spread = budget.plan.release("mean and spread of the samples", moments_sensitivity, for_spread);
  }
  budget.moments = budget.plan.release("sums of features", moments_sensitivity, 1 - for_spread);
  return budget;
}

// Noise of this kind alone has eigenvalues up to sigma sqrt(2 m).
NoisyComponents components_of(const NoisyMoments& moments, Index count) {
  const auto samples = static_cast<double>(moments.samples);
  const auto features = static_cast<double>(moments.sum.size());
  NoisyComponents found{.samples = moments.samples, .mean = moments.sum / samples};
  const Matrix covariance = moments.products / samples - found.mean * found.mean.transpose();
  EigenPairs top = top_eigenpairs(DenseOperator(covariance), {.count = count, .tol = eigen_tolerance});
  found.directions = std::move(top.vectors);
  found.variances = top.values.cwiseMax(0);
  found.total_variance = std::max(covariance.trace(), found.variances.sum());
  found.noise = moments.sigma * std::sqrt(2 * features) / samples;
  return found;
}

Task<NoisyComponents> noisy_components(Node& node, SecureSums& sums, Matrix psi, Index samples,
                                       ComponentChoice wanted, const ComponentsBudget& budget) {
  const Index count = components_to_compute(wanted, psi.rows());
  const std::optional<NoisyMoments> moments =
      co_await noisy_moments_at_root(node, sums, std::move(psi), samples, budget.moments, budget.plan);
  Message told(Kind::totals);
  if (moments) told = message_of(components_of(*moments, count));
  const Message agreed = co_await broadcast(node, node.tree(), told);
  co_return components_in(agreed);
}

Task<Index> public_sample_count(Node& node, Index samples, Index features) {
  Message mine(Kind::control);
  mine.integer(samples).integer(features);
  const Combine combine = [](const Message& all, const Message& child) {
    if (all.integer(1) != child.integer(1)) {
      fail(ErrorCategory::InvalidArgument,
           "some nodes have samples of {} features and others of {}; all nodes need the same", all.integer(1),
           child.integer(1));
    }
    Message sum(Kind::control);
    sum.integer(all.integer(0) + child.integer(0)).integer(all.integer(1));
    return sum;
  };
  const Message agreed = co_await tree_fold(node, node.tree(), mine, combine);
  const auto total = static_cast<Index>(agreed.integer(0));
  if (total < 1) {
    throw Error(ErrorCategory::InvalidArgument, "no node has samples; give at least one node some");
  }
  co_return total;
}

std::string noise_words(const NoisyComponents& found) {
  const Index clear = found.clear();
  const Index all = found.variances.size();
  if (clear == all) return {};
  const std::string which =
      clear == 0 ? "no component is" : fmt::format("only {} of {} components are", clear, all);
  return fmt::format(
      "{} above the noise of differential privacy, the others may be made of noise alone; ask for fewer "
      "components or a larger epsilon, use fewer features, or give the nodes more samples",
      which);
}

}  // namespace choir
