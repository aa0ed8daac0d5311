#include "choir/learn/online_kernel/step.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "choir/kernel/gram.h"
#include "choir/learn/online_kernel/losses.h"
#include "choir/learn/online_kernel/sequence.h"
#include "choir/linalg/eigen.h"

namespace choir::online_kernel {
namespace {

constexpr double most_averaged = 10;       // nodes whose steps longer ones make up for
constexpr double decay_samples = 100;      // of a node, after which steps begin to shrink
constexpr double steady_from = 1000;       // samples of a node, schedule constant
constexpr double most_spread = 5;          // what a neighbour's mixing divides a sample's weight by
constexpr double share_of_a_sample = 0.3;  // that compression may undo in a round

}  // namespace

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

bool steps_as_in_the_paper(const Options& options) {
  return options.eta || options.consensus == Consensus::penalty || options.consensus == Consensus::symmetric;
}

double step_size(const Options& options, const StepFacts& facts) {
  if (options.eta) return *options.eta;
  const bool classes = is_classification(options.loss);
  if (steps_as_in_the_paper(options))
    return classes ? papers_step : std::min(papers_step, 1 / (2 * facts.leading_moment));
  const double averaged = std::min(static_cast<double>(facts.nodes), most_averaged);
  const double each = (classes ? 3 : 0.7) * averaged;
  return static_cast<double>(options.batch) * each / facts.largest_diagonal;
}

double step_decay(const Options& options, std::uint64_t round) {
  if (steps_as_in_the_paper(options)) return 1;
  const double samples = static_cast<double>(round) * static_cast<double>(options.batch);
  const double counted = options.schedule == Schedule::constant ? std::min(samples, steady_from) : samples;
  return 1 / std::sqrt(1 + counted / decay_samples);
}

double sample_weight(const Options& options, double eta, double largest_diagonal) {
  const double step = eta / static_cast<double>(options.batch);
  return steps_as_in_the_paper(options) ? step : damped(step, options.loss, largest_diagonal);
}

double prune_error(const Options& options, double eta, const StepFacts& facts) {
  if (options.epsilon) return *options.epsilon / facts.target_scale;
  const bool classes = is_classification(options.loss);
  if (steps_as_in_the_paper(options)) {
    const bool sparing = classes && options.consensus != Consensus::symmetric;
    return (sparing ? 0.04 : 0.01) * std::pow(eta, 1.5);
  }
  // The norm of a sample's part of a step: sqrt 2 is the longest gradient of a softmax, a residual has
  // about the targets' deviation, which is 1.
  const double gradient = classes ? std::numbers::sqrt2 : 1;
  const double spread = std::min(1 + static_cast<double>(facts.largest_degree), most_spread);
  return share_of_a_sample / spread * gradient * sample_weight(options, eta, facts.largest_diagonal) *
         std::sqrt(facts.largest_diagonal);
}

double prune_decay(const Options& options, double eta_t, double eta, double largest_diagonal) {
  if (options.epsilon) return 1;
  return sample_weight(options, eta_t, largest_diagonal) / sample_weight(options, eta, largest_diagonal);
}

double gradient_step(double eta, double leading_moment, Loss loss) {
  return eta * leading_moment * curvature(loss);
}

}  // namespace choir::online_kernel
