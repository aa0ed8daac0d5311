// The node program of those who keep moments of features in place of samples.
#pragma once

#include <memory>

#include "choir/learn/features/feature_store.h"
#include "choir/learn/online_kernel/online_kernel.h"

namespace choir::online_kernel {

// As node_program(). `store`: of the process, so that its nodes draw random features once.
Task<NodeResult> feature_program(Node& node, SampleStream& stream, Options options, const Hooks& hooks,
                                 std::shared_ptr<FeatureStore> store);

// The part of machine_of() for such a node.
KernelMachine feature_machine(const NodeResult& fit);

}  // namespace choir::online_kernel
