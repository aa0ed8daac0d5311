// Where the iteration begins: each node's own guess, turned once so that neighbours' guesses agree in sign
// and order. After that nothing is aligned any more.
#pragma once

#include "choir/learn/consensus_kpca/options.h"
#include "choir/learn/consensus_kpca/projection_consensus.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir::consensus_kpca {

// A node's own guess.
void begin(const Node& node, Init init, ProjectionConsensus& state);

// From the root to the leaves: every node turns its directions towards its parent's, as far as it can see
// them, and tells its children. Kind: coefficients.
Task<void> align_along_tree(Node& node, Init init, ProjectionConsensus& state);

// Where nodes share landmarks, directions can be compared across any distance: along a tree the errors of
// every hop add up, and after a thousand hops the first component of one node is another's third. Every node
// turns towards the root, then towards the mean of all. `mine`: the node's directions in landmark features, m
// x columns.
Task<void> align_by_landmarks(Node& node, Matrix mine, ProjectionConsensus& state);

}  // namespace choir::consensus_kpca
