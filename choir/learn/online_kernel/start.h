// What the nodes agree on before their first round, from their first batches.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "choir/data/stream.h"
#include "choir/learn/online_kernel/online_kernel.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir::online_kernel {

// Rounds that a word needs to reach everybody; where nodes may be lost, with detours.
Index hops_to_everybody(const Node& node);

// Batches of each node that the agreement looks at before any of them is learned from: one if nothing but
// the features' number depends on them; else 8, and as many as it takes for 512 samples of the network, so
// that neither an outlier nor a first batch that is unlike the others decides. Features depend on them;
// landmarks need 4 samples of the network each.
Index warm_up_batches(const Options& options, Index nodes);

// Rounds whose classes the nodes have counted together before the first one: those of the batches that they
// look at, or none. A node whose stream is short and has one class would else learn all of it as if no class
// were rare.
std::uint64_t rounds_counted_at_start(const Options& options, Index nodes);

// Throws what first_state() throws, and finds out nothing else.
Task<void> require_common_start(Node& node, const std::optional<State>& earlier, const Samples& first,
                                const Options& options);

// What samples of all nodes decide: how a kernel sees them, and the same samples without outliers and after
// preprocessing.
struct AgreedView {
  Preprocessing preprocessing = {};
  Kernel kernel = {};
  Samples samples = {};
};
Task<AgreedView> agreed_view(Node& node, Samples samples, const Options& options,
                             std::vector<std::string>& notes);
// Whether other samples would lead to another view, or other landmarks.
bool view_depends_on_samples(const Options& options);

// What the nodes' first samples decide: their view and the scale of the targets, in the state, and the
// samples as in the view.
struct AgreedScales {
  State state;
  Samples samples;
};
Task<AgreedScales> agreed_scales(Node& node, const TargetedSamples& first, const Options& options,
                                 std::vector<std::string>& notes);

// The state before the first round, or the earlier one after it was seen that all nodes go on from the same
// round. `first`: the node's first batches, before any preprocessing.
// Throws Error(InvalidArgument) if nodes go on from different rounds, the state does not fit the options or
// is of after the end of a stream that has more samples now, Error(BadData) if nodes have different numbers
// of features or nobody has a sample.
Task<State> first_state(Node& node, std::optional<State> earlier, const TargetedSamples& first,
                        const Options& options, std::vector<std::string>& notes);

}  // namespace choir::online_kernel
