// The node program under differential privacy: a node keeps moments of random features to itself until all
// streams have ended; then the network opens one noisy total of them, and the root finds the answer in it.
#pragma once

#include <memory>

#include "choir/learn/features/feature_store.h"
#include "choir/learn/online_kernel/online_kernel.h"

namespace choir::online_kernel {

// As node_program(); hooks.after_round sees states without moments. `store`: of the process, so that its
// nodes draw random features once.
Task<NodeResult> private_program(Node& node, SampleStream& stream, Options options, const Hooks& hooks,
                                 std::shared_ptr<FeatureStore> store);

}  // namespace choir::online_kernel
