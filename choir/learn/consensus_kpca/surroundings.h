// How a node meets its neighbours: shapes first, then samples.
#pragma once

#include <vector>

#include "choir/linalg/types.h"
#include "choir/runtime/array.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir::consensus_kpca {

// A node's samples and its neighbours': the node itself first, then the neighbours in their order.
struct Neighborhood {
  std::vector<NodeId> nodes;
  std::vector<Array> shards;  // M x N_l each, preprocessed; those of others perhaps with noise

  std::vector<Index> sizes() const;
};

std::vector<Eigen::Map<const Matrix>> matrices_of(const std::vector<Array>& shards);

// Every node has samples, and neighbours have the same features. Throws Error(InvalidArgument) naming who has
// not. Control messages only.
Task<void> agree_on_shapes(Node& node, SamplesMap shard);

// Throws Error(PeerLost) if a neighbour is missing in a round of the set-up: without its part there is no
// neighbourhood to begin with, whatever the policy.
void require_all(const Node& node, const Inbox& inbox);

// Sends `shown` and gets the neighbours'; `own` is the node's part of the result. Raw samples.
Task<Neighborhood> meet_neighbors(Node& node, Array own, Array shown);

// Samples with N(0, sigma^2) added to every value, from the system's randomness: whoever knows the run's seed
// does not know the noise. The samples themselves if sigma is 0.
Array with_noise(const Array& samples, double sigma);
inline constexpr const char* noise_note =
    "noise on exchanged samples comes from the system's randomness, so another run gives other numbers; it "
    "blurs samples and guarantees nothing: what neighbours see may still show who it is";

}  // namespace choir::consensus_kpca
