// Nodes meet now and then to count, and, when a block of samples is complete, to open a total of the moments
// before it: the root decomposes it, every node finds the same answer in it. README.md has the rules.
#pragma once

#include <string>
#include <vector>

#include "choir/learn/online_kernel/total.h"
#include "choir/runtime/task.h"

namespace choir::online_kernel {

// All nodes call it after the same round; says when the next one is. Once all streams have ended, the last
// total is opened, and `finished` is true. Throws Error(PeerLost) if a node is missing.
Task<void> meet(Gathering& gathering, State& state, std::vector<std::string>& notes);

// Samples that a node keeps: to ask answers about, and those of all nodes together to find features from.
Index samples_to_keep(const Options& options, Index nodes);

}  // namespace choir::online_kernel
