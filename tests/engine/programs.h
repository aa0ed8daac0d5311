// Node programs that the suite runs, and what they must compute.
#pragma once

#include <vector>

#include "choir/graph/graph.h"
#include "choir/linalg/types.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir {

// Averaging with Metropolis weights, `rounds` synchronous rounds.
Task<double> metropolis_rounds(Node& node, double value, int rounds);
// The same by a dense matrix.
Vector metropolis_oracle(const Graph& graph, Vector values, int rounds);

// A synchronous program with everything in it: arrays of each type, other content for every neighbour, random
// numbers, rounds of two kinds, a sum over the tree. Its result is a vector that depends on all of them.
Task<Vector> synchronous_mixture(Node& node, int rounds);

// Eight hexadecimal digits for results, bit by bit.
std::uint64_t fingerprint(std::uint64_t seed, const void* data, std::size_t bytes);

}  // namespace choir
