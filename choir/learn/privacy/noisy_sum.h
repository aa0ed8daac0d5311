// A sum over the network that everybody may see, because no sample shows in it: masked, so that nobody sees a
// summand, and noisy, so that the total says nothing about a single sample.
//
//   PrivacyPlan plan(options.privacy, node.network_size());
//   const Release moments = plan.release("sums of features", sensitivity, 1.0);
//   const std::optional<Matrix> total = co_await noisy_sum_at_root(node, sums, mine, moments, plan);
//   const Matrix told = co_await noisy_sum(node, sums, mine, moments, plan);                    // at all
//   nodes
//
// The noise comes from the system's randomness, never from the run's seed.
#pragma once

#include <optional>

#include "choir/learn/privacy/privacy_plan.h"
#include "choir/linalg/types.h"
#include "choir/runtime/blocks/secure_sum/secure_sum.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir {

// `mine` has the same shape at all nodes, and no sample changes it by more than the release's sensitivity.
Task<std::optional<Matrix>> noisy_sum_at_root(Node& node, SecureSums& sums, Matrix mine, Release release,
                                              const PrivacyPlan& plan);
Task<Matrix> noisy_sum(Node& node, SecureSums& sums, Matrix mine, Release release, const PrivacyPlan& plan);

}  // namespace choir
