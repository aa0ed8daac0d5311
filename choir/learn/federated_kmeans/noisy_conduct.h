// The server's program under differential privacy: seeds about a noisy mean, then a fixed number of rounds.
// Everything that it is told about samples is a noisy total.
#pragma once

#include "choir/learn/federated_kmeans/coordinator.h"
#include "choir/learn/federated_kmeans/federated_kmeans.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir::federated_kmeans {

// All must outlive it. Throws Error(PeerLost) if a device does not answer: the noise of the others alone
// would be less than was promised.
Task<void> conduct_with_noise(const Node& node, Coordinator& devices, const Options& options,
                              const Circumstances& circumstances, NodeResult& result);

}  // namespace choir::federated_kmeans
