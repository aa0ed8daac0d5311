// What the nodes agree on before their first round, from their first batches.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "choir/learn/online_kernel/online_kernel.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir::online_kernel {

// Rounds that a word needs to reach everybody; where nodes may be lost, with detours.
Index hops_to_everybody(const Node& node);

// Preprocessing and kernel, in the state, from the nodes' first samples.
Task<void> agree_on_samples(Node& node, Samples first, const Options& options, State& state,
                            std::vector<std::string>& notes);

// Throws what first_state() throws, and finds out nothing else.
Task<void> require_common_start(Node& node, const std::optional<State>& earlier, const Samples& first,
                                const Options& options);

// The state before the first round, or the earlier one after it was seen that all nodes go on from the same
// round. `first`: the node's first batch, before any preprocessing.
// Throws Error(InvalidArgument) if nodes go on from different rounds, the state does not fit the options or
// is of after the end of a stream that has more samples now, Error(BadData) if nodes have different numbers
// of features or nobody has a sample.
Task<State> first_state(Node& node, std::optional<State> earlier, const Samples& first,
                        const Options& options, std::vector<std::string>& notes);

}  // namespace choir::online_kernel
