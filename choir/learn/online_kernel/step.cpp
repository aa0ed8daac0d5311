#include "choir/learn/online_kernel/step.h"

#include <algorithm>
#include <cmath>

#include "choir/kernel/gram.h"
#include "choir/learn/online_kernel/losses.h"
#include "choir/linalg/eigen.h"

namespace choir::online_kernel {

double leading_moment(const Kernel& kernel, const Samples& batch) {
  if (batch.cols() == 0) return 0;
  const Matrix gram = TriangularGram<double>::compute(kernel, batch).dense();
  return eigen_symmetric(gram).values(0) / static_cast<double>(batch.cols());
}

double largest_diagonal(const Kernel& kernel, const Samples& batch) {
  return batch.cols() == 0 ? 0 : gram_diagonal<double>(kernel, batch).maxCoeff();
}

double consensus_step(double eta, double penalty, Index largest_degree, double leading_moment) {
  return eta * penalty * 2 * static_cast<double>(largest_degree) * leading_moment;
}

double penalty_cap(double eta, Index largest_degree, double largest_diagonal) {
  const double at_one = consensus_step(eta, 1, largest_degree, largest_diagonal);
  return at_one > 0 ? 1 / at_one : std::numeric_limits<double>::infinity();
}

double penalty_after(std::uint64_t samples, const Options& options, double cap) {
  if (options.penalty_doubling == 0) return std::min(options.penalty, cap);
  constexpr std::uint64_t beyond_any_cap = 1000;
  const std::uint64_t doublings =
      std::min(samples / static_cast<std::uint64_t>(options.penalty_doubling), beyond_any_cap);
  return std::min(options.penalty * std::exp2(static_cast<double>(doublings)), cap);
}

double stable_up_to(Consensus consensus) { return consensus == Consensus::diffusion ? 1 : 2; }

double step_size(const Options& options, double leading_moment) {
  if (options.eta) return *options.eta;
  const double longest = longest_default_step;
  return is_classification(options.loss) ? longest : std::min(longest, 1 / (2 * leading_moment));
}

double prune_error(const Options& options, double eta) {
  const bool sparing = is_classification(options.loss) && options.consensus != Consensus::symmetric;
  const double parsimony = sparing ? 0.04 : 0.01;
  return options.epsilon.value_or(parsimony * std::pow(eta, 1.5));
}

double gradient_step(double eta, double leading_moment, Loss loss) {
  return eta * leading_moment * curvature(loss);
}

}  // namespace choir::online_kernel
