#include "choir/learn/privacy/noisy_words.h"

#include <cmath>

#include "choir/base/error.h"
#include "choir/crypto/discrete_gaussian.h"

namespace choir {
namespace {

constexpr double steps_of_sensitivity = 0x1p20;
// Totals and their noise stay below 2^63: a node's entry below 2^46 leaves room for 2^16 nodes.
constexpr double largest_entry = 0x1p46;

// In steps, what one sample can change, rounding included: an entry that moves by x is rounded by at most 1
// more.
double sensitivity_in_steps(Index entries) {
  return steps_of_sensitivity + std::sqrt(static_cast<double>(entries));
}

std::uint64_t sigma_of_node(const Release& release, double share_of_variance, Index entries) {
  if (!(release.rho > 0) || !(release.sensitivity > 0)) {
    fail(ErrorCategory::InvalidArgument,
         "the noise of '{}' needs a sensitivity and a budget above 0, not {} and {}", release.what,
         release.sensitivity, release.rho);
  }
  const double sigma = sensitivity_in_steps(entries) * std::sqrt(share_of_variance / (2 * release.rho));
  if (!(sigma < static_cast<double>(std::uint64_t{1} << 52))) {
    fail(ErrorCategory::InvalidArgument,
         "the noise of '{}' would leave nothing of it: a budget of rho = {:.3g} is too small; ask for a "
         "larger "
         "epsilon",
         release.what, release.rho);
  }
  return static_cast<std::uint64_t>(std::ceil(sigma));
}

}  // namespace

NoisyWords::NoisyWords(const Release& release, double share_of_variance, Index entries)
    : step_(release.sensitivity / steps_of_sensitivity),
      node_sigma_(sigma_of_node(release, share_of_variance, entries)) {}

Words NoisyWords::of(const Matrix& mine, RandomBits& bits) const {
  const DiscreteGaussian noise(node_sigma_);
  Words words(mine.size(), 1);
  for (Index i = 0; i < mine.size(); ++i) {
    const double steps = mine.data()[i] / step_;
    if (!(std::abs(steps) < largest_entry)) {
      fail(ErrorCategory::InvalidArgument,
           "entry {} of a sum is {}, too large to be hidden by the noise of one sample; check --clip", i,
           mine.data()[i]);
    }
    words(i) = std::llrint(steps) + noise.draw(bits);
  }
  return words;
}

Matrix NoisyWords::total(const WordsView& words, Index rows, Index columns) const {
  return words.cast<double>().reshaped(rows, columns) * step_;
}

}  // namespace choir
