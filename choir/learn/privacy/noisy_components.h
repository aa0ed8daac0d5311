// Principal components of features under differential privacy: what follows from one noisy total.
//
//   ComponentsBudget budget = components_budget(options.privacy, node.network_size(), finds_landmarks);
//   const NoisyComponents found = co_await noisy_components(node, sums, psi, samples, wanted, budget);
//   found.directions;                                     // m x D, the same bits at all nodes
//   noise_words(found);                                   // which of them the noise may have made
//
// The root decomposes C = S / N - m m' and tells everybody the outcome, which costs nothing more: it is a
// function of the total.
#pragma once

#include <optional>
#include <string>

#include "choir/learn/components.h"
#include "choir/learn/privacy/noisy_moments.h"
#include "choir/learn/privacy/privacy_plan.h"
#include "choir/linalg/types.h"
#include "choir/runtime/blocks/secure_sum/secure_sum.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir {

struct NoisyComponents {
  Index samples = 0;          // N
  Vector mean = {};           // m
  Matrix directions = {};     // m x D, orthonormal, sign rule applied
  Vector variances = {};      // D, descending, not negative
  double total_variance = 0;  // of all directions, and no less than these
  double noise = 0;           // the largest variance that the noise alone would have shown

  // Components whose variance is above the noise.
  Index clear() const { return (variances.array() > noise).count(); }
};

// How a run that releases components splits its budget.
struct ComponentsBudget {
  PrivacyPlan plan;
  std::optional<Release> spread = {};  // where landmarks are found out: mean and spread of the samples
  Release moments = {};                // sums of features: the rest
};
// README.md of learn/consensus_kpca has the figures that the split comes from.
inline constexpr double share_of_spread = 0.4;
ComponentsBudget components_budget(const PrivacyOptions& options, Index nodes, bool finds_landmarks);

// `psi`: m x N_j. Throws Error(InvalidArgument) if there are fewer features than components.
Task<NoisyComponents> noisy_components(Node& node, SecureSums& sums, Matrix psi, Index samples,
                                       ComponentChoice wanted, const ComponentsBudget& budget);

// How many samples all nodes have together, and that all have the same features: both are public. Control
// messages only. Throws Error(InvalidArgument) where features differ or nobody has samples.
Task<Index> public_sample_count(Node& node, Index samples, Index features);

// The step without a network.
NoisyComponents components_of(const NoisyMoments& moments, Index count);

// A sentence that says which components the noise may have made; empty if it made none.
std::string noise_words(const NoisyComponents& found);

}  // namespace choir
