// Whose samples are plain to see in the first summary that leaves their node: those of a node that has no
// more of them than a summary carries directions.
//
//   exposed_nodes({2, 40, 9}, {.carry = 20, .dimension = 30})      // nodes 0 and 2
//
// A node's own summary is its mean and its scatter U L U'. With n samples the scatter has rank n - 1: if all
// of that is carried, the samples are mean + U L^(1/2) Q for some Q with orthonormal rows, whose columns sum
// to zero. For two samples there is one such Q but for their order. For more it is a rotation, which what is
// known of samples (they are pixels, counts, categories) may give away. Nodes of a few columns of all samples
// (coordinates) are in the same place.
#pragma once

#include <string>
#include <vector>

#include "choir/learn/gossip_pca/options.h"
#include "choir/linalg/types.h"

namespace choir::gossip_pca {

struct Carried {
  Index carry = 0;      // q'
  Index dimension = 0;  // D
  Division partition = Division::samples;
};

// `sizes`: samples, or columns, of every node.
std::vector<NodeId> exposed_nodes(const std::vector<Index>& sizes, const Carried& carried);

// One sentence for whoever starts the run; empty: there is nothing to say.
std::string exposure_words(const std::vector<Index>& sizes, const Carried& carried);

}  // namespace choir::gossip_pca
